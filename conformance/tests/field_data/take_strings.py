# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

O = TypeVar("O", np.int32, np.int64)
I = TypeVar("I", np.int32, np.int64)

words = np.frombuffer(b"onetwothree", np.uint8)
ends = np.array([0, 3, 6, 6, 11], np.int32)


@kernel(
    sizes={"n": [9, 1, 20, 0], "m": [5, 0, 8, 300], "c": [30, 0]},
    where=["offsets[0] >= 0", "offsets[-1] <= c", "offsets[1:] >= offsets[:-1]"],
    calls=[
        {
            "arguments": {
                "offsets": ends,
                "data": words,
                "valid": None,
                "indices": np.array([3, -1, 0, 2, 0], np.int64),
            },
            "expected": {
                "result[0]": "[0, 5, 5, 8, 8, 11]",
                "result[1]": "[116, 104, 114, 101, 101, 111, 110, 101, 111, 110, 101]",
                "result[2]": "[29]",
            },
        },
        {
            "arguments": {
                "offsets": ends,
                "data": words,
                "valid": np.array([0b1110], np.uint8),
                "indices": np.array([0, 1], np.int32),
            },
            "expected": {
                "result[0]": "[0, 0, 3]",
                "result[1]": "[116, 119, 111]",
                "result[2]": "[2]",
            },
        },
        {
            "arguments": {
                "offsets": ends,
                "data": words,
                "valid": None,
                "indices": np.array([4], np.int64),
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "offsets": ends,
                "data": words,
                "valid": None,
                "indices": np.array([0, 2**32], np.int64),
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "offsets": np.array([0, 9, 6, 11], np.int64),
                "data": words,
                "valid": None,
                "indices": np.array([0], np.int64),
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    promises=["atomic", "repeatable", "fresh"],
    text="rows of a column of strings: offsets, bytes, and a bitmap, lowest bit first, of those that are not null; the index -1 gives null; a null has no bytes, and bits behind the last row are 0",
)
def take_strings(
    offsets: Annotated[Tensor[O, "n+1"], Range(0, "c")],
    data: Tensor[np.uint8, "c"],
    valid: Optional[Tensor[np.uint8, "(n+7)//8"]],
    indices: Annotated[Tensor[I, "m"], Range(-1, "n-1")],
) -> tuple[Tensor[O, "m+1"], Tensor[np.uint8, "_"], Tensor[np.uint8, "(m+7)//8"]]:
    rows, mask = [], []
    for i in indices:
        there = i >= 0 and (valid is None or bool(valid[i // 8] >> (i % 8) & 1))
        rows.append(data[offsets[i] : offsets[i + 1]] if there else data[:0])
        mask.append(there)
    to = np.zeros(len(indices) + 1, offsets.dtype)
    to[1:] = np.cumsum([len(r) for r in rows]) if rows else []
    chars = np.concatenate(rows) if rows else np.zeros(0, np.uint8)
    bits = np.packbits(np.array(mask, bool), bitorder="little")
    return to, chars.astype(np.uint8), bits.astype(np.uint8)
