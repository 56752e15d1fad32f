# SPDX-License-Identifier: Apache-2.0
"""Chained hashes of blocks of tokens, by which a prefix cache finds blocks that are computed."""

from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

ALL = 2**64 - 1
BASIS = 0xCBF29CE484222325


def fnv(h: int, data: bytes) -> int:
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & ALL
    return h


def mix(h: int, x: int) -> int:
    h = (h ^ x) + 0x9E3779B97F4A7C15 & ALL
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & ALL
    h = (h ^ h >> 27) * 0x94D049BB133111EB & ALL
    return h ^ h >> 31


def call(tokens, block_size, algorithm, parent=None, salt=None, partial=False, **more):
    arguments = {
        "tokens": tokens,
        "block_size": block_size,
        "algorithm": algorithm,
        "parent": parent,
        "salt": salt,
        "partial": partial,
    }
    return {"arguments": arguments, **more}


SOME = np.array([1, 70000, 0, 2**31 - 1, 5], np.int32)


@kernel(
    text="one hash for each block of tokens; the salt is of the first block, the parent before it",
    sizes={"n": [10, 0, 1, 64]},
    parameters={"tokens": {"layout": "contiguous"}},
    refuses=[{"when": "block_size < 1", "kind": "ValueError", "message": "block_size must be"}],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        call(tokens, block_size, algorithm, parent, salt, partial)
        for algorithm in ("fnv1a", "mix")
        for tokens, block_size, parent, salt, partial in (
            (SOME, 2, None, None, True),
            (SOME.astype(np.int64), 2, None, None, True),
            (SOME, 2, None, None, False),
            (SOME, 5, 7, "tenant-é", True),
            (SOME[:4].copy(), 2, -1, "a", False),
            (np.array([2**40, 3], np.int64), 1, None, "", False),
            (SOME, 100, None, None, True),
        )
    ]
    + [
        call(
            np.array([3, -1], np.int64),
            2,
            "mix",
            refused={"kind": "ValueError", "message": "tokens must be"},
        ),
        call(SOME, 2, "md5", refused={"kind": "ValueError", "message": "algorithm must be"}),
    ],
)
def hash_token_blocks(
    tokens: Annotated[Tensor[(np.int32, np.int64), "n"], Range(0)],
    block_size: Annotated[int, Examples(4, 3, 16), Range(1)],
    algorithm: Literal["fnv1a", "mix"],
    parent: Optional[int],
    salt: Optional[Annotated[str, Examples("tenant", "a longer salt than fits in place")]],
    partial: bool,
) -> Tensor[np.int64, "_"]:
    def step(h: int, x: int) -> int:
        return fnv(h, x.to_bytes(8, "little")) if algorithm == "fnv1a" else mix(h, x)

    hashes = []
    last = 0 if parent is None else parent & ALL
    for at in range(0, len(tokens), block_size):
        block = tokens[at : at + block_size].tolist()
        if len(block) < block_size and not partial:
            break
        h = step(BASIS, last)
        if at == 0 and salt:
            h = step(h, fnv(BASIS, salt.encode()))
        for token in block:
            h = step(h, token)
        hashes.append(h)
        last = h
    return np.array(hashes, np.uint64).astype(np.int64)
