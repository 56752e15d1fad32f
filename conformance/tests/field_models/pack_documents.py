# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Device, Examples, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


class Packed(TypedDict):
    tokens: Tensor[I, "_ row_len"]
    positions: Tensor[np.int32, "_ row_len"]
    segments: Tensor[np.int32, "_ row_len"]


def ints(*values, dtype=np.int32):
    return np.array(values, dtype)


@kernel(
    where=["len(docs) >= 1"],
    parameters={"docs": {"counts": [1, 2, 5]}},
    promises=["fresh", "repeatable"],
    calls=[
        {
            "arguments": {
                "row_len": 4,
                "pad": -1,
                "device": "cpu",
                "docs": [ints(1, 2, 3), ints(4, 5), ints(6), ints()],
            },
            "expected": {
                "result.tokens": "[[1, 2, 3, 6], [4, 5, -1, -1]]",
                "result.positions": "[[0, 1, 2, 0], [0, 1, 0, 0]]",
                "result.segments": "[[1, 1, 1, 3], [2, 2, 0, 0]]",
            },
        },
        {
            "arguments": {
                "row_len": 2,
                "pad": 1 << 40,
                "device": "cpu",
                "docs": [ints(1, dtype=np.int64)],
            },
            "expected": {"result.tokens": "[[1, 1099511627776]]"},
        },
        {
            "arguments": {"row_len": 2, "pad": 1 << 40, "device": "cpu", "docs": [ints(1)]},
            "refused": {"kind": "ValueError", "message": "pad"},
        },
        {
            "arguments": {
                "row_len": 2,
                "pad": 0,
                "device": "cpu",
                "docs": [ints(1), ints(1, 2, 3)],
            },
            "refused": {"kind": "ValueError", "message": "longer"},
        },
    ],
    sequences=[
        {
            "text": "a refused call leaves nothing behind",
            "repeatable": True,
            "steps": [
                {
                    "call": "pack_documents",
                    "arguments": [
                        2,
                        0,
                        "cpu",
                        {"elements": [1], "dtype": "int32"},
                        {"elements": [1, 2, 3], "dtype": "int32"},
                    ],
                    "refused": {"kind": "ValueError", "message": "longer"},
                },
                {
                    "call": "pack_documents",
                    "arguments": [2, 0, "cpu", {"elements": [7, 8], "dtype": "int32"}],
                    "expected": {"result.tokens": "[[7, 8]]", "result.segments": "[[1, 1]]"},
                },
            ],
        }
    ],
)
def pack_documents(
    row_len: Annotated[int, Examples(8, 64), Range(1, 4096)],
    pad: Annotated[int, Examples(0, -1, 1 << 40)],
    device: Device["cpu"],
    *docs: Tensor[I, "_", {"layout": "strided"}],
) -> Packed:
    dtype = docs[0].dtype
    if dtype == np.int32 and not -(2**31) <= pad < 2**31:
        raise ValueError("pad is no int32")
    used, places = [], []
    for doc in docs:
        if len(doc) > row_len:
            raise ValueError("longer than a row")
        row = (
            next((r for r, u in enumerate(used) if u + len(doc) <= row_len), len(used))
            if len(doc)
            else 0
        )
        if len(doc):
            if row == len(used):
                used.append(0)
            places.append((row, used[row]))
            used[row] += len(doc)
        else:
            places.append((0, 0))
    tokens = np.full((len(used), row_len), pad, dtype)
    positions = np.zeros((len(used), row_len), np.int32)
    segments = np.zeros((len(used), row_len), np.int32)
    for i, (doc, (row, at)) in enumerate(zip(docs, places)):
        if len(doc):
            tokens[row, at : at + len(doc)] = doc
            positions[row, at : at + len(doc)] = np.arange(len(doc))
            segments[row, at : at + len(doc)] = i + 1
    return {"tokens": tokens, "positions": positions, "segments": segments}
