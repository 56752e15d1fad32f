# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel

BLOCK = {"f16": (1, 2), "q4_0": (32, 18), "q4_1": (32, 20), "q8_0": (32, 34)}

ROW = [0, 60] + [i * 16 + 15 - i for i in range(16)]  # d = 1


@kernel(
    sizes={"r": [4, 1, 30], "nb": [36, 40, 68, 0, 3060], "m": [3, 0, 40]},
    promises=["fresh", "repeatable"],
    tolerance={"float32": 1e-6, "float16": 2e-3},
    calls=[
        {
            "arguments": {
                "data": np.array([[0] * 18, ROW], np.uint8),
                "ids": np.array([1, 0], np.int64),
                "type": "q4_0",
                "dtype": "float32",
            },
            "expected": {"result": "[concat((7 - arange(16), arange(16) - 8)), zeros((32,))]"},
        },
        {
            "arguments": {
                "data": np.array([[0] * 18, ROW], np.uint8),
                "ids": np.array([1, 4294967296], np.int64),
                "type": "q4_0",
                "dtype": "float32",
            },
            "refused": {"kind": "IndexError", "message": "out of range"},
        },
        {
            "arguments": {
                "data": np.zeros((2, 19), np.uint8),
                "ids": np.array([1], np.int32),
                "type": "q4_0",
                "dtype": "float16",
            },
            "refused": {"kind": "ValueError", "message": "blocks"},
        },
    ],
)
def gguf_get_rows(
    data: Tensor[np.uint8, "r nb", {"layout": "rows"}],
    ids: Annotated[Tensor[(np.int32, np.int64), "*batch m"], Range(0, "r - 1")],
    type: Literal["q4_0", "q8_0", "q4_1", "f16"],
    dtype: DType[np.float32, np.float16],
) -> Tensor[(np.float32, np.float16), "*batch m _"]:
    elements, size = BLOCK[type]
    if data.shape[1] % size:
        raise ValueError("no whole number of blocks")
    blocks = np.ascontiguousarray(data[ids]).reshape(-1, size)
    d = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float64)
    if type == "f16":
        y = d
    elif type == "q8_0":
        y = d * np.ascontiguousarray(blocks[:, 2:]).view(np.int8)
    elif type == "q4_0":
        q = blocks[:, 2:].astype(np.int32)
        y = d * (np.concatenate([q & 15, q >> 4], axis=1) - 8)
    else:
        least = np.ascontiguousarray(blocks[:, 2:4]).view(np.float16).astype(np.float64)
        q = blocks[:, 4:].astype(np.int32)
        y = d * np.concatenate([q & 15, q >> 4], axis=1) + least
    return y.reshape((*ids.shape, data.shape[1] // size * elements)).astype(dtype)


@kernel(
    calls=[
        {
            "arguments": {"type": "q8_0", "cols": 33},
            "refused": {"kind": "ValueError", "message": "blocks"},
        }
    ]
)
def gguf_row_bytes(
    type: Literal["q4_0", "q8_0", "q4_1", "f16"],
    cols: Annotated[int, Examples(64, 4096), Range(0, 2**40)],
) -> int:
    elements, size = BLOCK[type]
    if cols % elements:
        raise ValueError("no whole number of blocks")
    return cols // elements * size
