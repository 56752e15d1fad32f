# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

U64 = np.uint64


def mix(v: np.ndarray) -> np.ndarray:
    v = v + U64(0x9E3779B97F4A7C15)
    v = (v ^ (v >> U64(30))) * U64(0xBF58476D1CE4E5B9)
    v = (v ^ (v >> U64(27))) * U64(0x94D049BB133111EB)
    return v ^ (v >> U64(31))


@kernel(
    sizes={"n": [4, 0, 33], "d": [2, 1, 3]},
    where=["d >= 1"],
    parameters={"out": {"alias": "start"}},
    promises=["atomic", "repeatable"],
    sequences=[
        {
            "text": "a walk depends on no other call",
            "repeatable": True,
            "steps": [
                {
                    "call": "walks",
                    "arguments": {"seed": 7, "steps": 5, "start": None, "out": {"shape": [2, 1]}},
                },
                {
                    "call": "walks",
                    "arguments": {"seed": 8, "steps": 9, "start": None, "out": {"shape": [3, 2]}},
                },
                {
                    "call": "walks",
                    "arguments": {"seed": 7, "steps": 5, "start": None, "out": {"shape": [2, 1]}},
                },
                {
                    "call": "walks",
                    "arguments": {"seed": 7, "steps": -1, "start": None, "out": {"shape": [2, 1]}},
                    "refused": {"kind": "ValueError", "message": "steps"},
                },
            ],
        }
    ],
)
def walks(
    seed: Annotated[int, Examples(1, -7, 2**62)],
    steps: Annotated[int, Examples(3, 40), Range(0, 1024)],
    start: Optional[Tensor[np.int64, "n d"]],
    out: Out[Tensor[np.int64, "n d"]],
) -> None:
    n, d = out.shape
    at = np.zeros((n, d), np.int64) if start is None else start.copy()
    key = mix(np.array([seed], np.int64).view(U64))
    walker = mix(key ^ np.arange(n, dtype=U64))
    for step in range(steps):
        way = (mix(walker ^ U64(step)) % U64(2 * d)).astype(np.int64)
        at[np.arange(n), way // 2] += 1 - 2 * (way % 2)
    out[...] = at
