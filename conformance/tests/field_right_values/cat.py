# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Device, DType, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.int32)


@kernel(
    where=["len(parts) >= 1"],
    tolerance=0,
    promises=["fresh", "repeatable"],
    calls=[
        {
            "arguments": {
                "axis": 1,
                "parts": [
                    np.array([[1], [2]], np.int32),
                    np.array([[3, 4], [5, 6]], np.int32),
                    np.zeros((2, 0), np.int32),
                ],
            },
            "expected": {"result": "[[1, 3, 4], [2, 5, 6]]"},
        },
        {
            "arguments": {
                "axis": 0,
                "parts": [np.ones((2, 3), np.float32), np.zeros((1, 3), np.float32)],
            }
        },
        {
            "arguments": {
                "axis": 0,
                "parts": [np.ones((2, 3), np.float32), np.zeros((1, 2), np.float32)],
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def cat(axis: Literal[0, 1], *parts: Tensor[T, "_ _"]) -> Tensor[T, "_ _"]:
    for part in parts:
        if part.shape[1 - axis] != parts[0].shape[1 - axis]:
            raise ValueError("parts do not fit")
    return np.concatenate(parts, axis=axis)


@kernel(text="n times the same number", tolerance={"float32": 0, "float16": 0})
def full(
    n: Annotated[int, Range(0, 4096)],
    value: Annotated[float, Range(-1000, 1000)],
    dtype: DType[np.float32, np.float16, "bfloat16"],
    device: Device["cpu"],
) -> Tensor["dtype", "n"]:
    return np.full(n, value).astype(dtype)
