# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

import numpy as np
from tvmffi_conform.kernels import Device, DType, Range, Shape, Tensor, kernel


@kernel(
    where=["prod(shape) <= 4096"],
    tolerance={"float32": 1e-6, "bfloat16": 1e-2},
    promises=["repeatable", "fresh"],
    refuses=[
        {"with": {"device": "cuda"}, "kind": "ValueError"},
        {"with": {"dtype": "float64"}, "kind": "TypeError"},
    ],
    calls=[
        {
            "arguments": {"shape": [], "value": 7, "dtype": "int32", "device": "cpu"},
            "expected": {"result": "7"},
        },
        {"arguments": {"shape": [2, 0, 3], "value": 0.1, "dtype": "bfloat16", "device": "cpu"}},
        {
            "arguments": {"shape": [64, 64], "value": -3, "dtype": "float32", "device": "cpu"},
            "expected": {"result": "full((64, 64), -3)"},
        },
        {
            "arguments": {"shape": [64, 64, 2], "value": 1, "dtype": "float32", "device": "cpu"},
            "refused": {"kind": "ValueError"},
        },
    ],
)
def full(
    shape: Annotated[Shape, Range(0, 64)],
    value: Union[Annotated[int, Range(-100, 100)], Annotated[float, Range(-100, 100)]],
    dtype: DType[np.float32, np.int32, "bfloat16"],
    device: Device["cpu"],
) -> Tensor["dtype", "..."]:
    if np.dtype(dtype) == np.int32 and isinstance(value, float):
        raise TypeError("elements of int32 are whole numbers")
    return np.full(shape, value, dtype)


@kernel(calls=[{"arguments": {"extents": [2, 3, 4]}, "expected": {"result": "(12, 4, 1)"}}])
def row_strides(extents: Annotated[Shape, Range(1, 40)]) -> Shape:
    steps, step = [], 1
    for e in reversed(extents):
        steps.append(step)
        step *= e
    return tuple(reversed(steps))


@kernel(promises=["fresh", "atomic"])
def number_rows(x: Tensor[np.int32, "n"], s: Shape["n 2"]) -> Tensor[np.int32, "n 2"]:
    return np.stack([x, np.arange(len(x), dtype=np.int32)], axis=1)


@kernel
def same_type(a: DType, b: DType) -> bool:
    return np.dtype(a) == np.dtype(b)


@kernel(text="how many bytes have to be copied")
def staging(device: Device["cpu", "cuda"], x: Tensor[(np.float32, np.int32), "n"]) -> int:
    return 0 if device == "cpu" else x.nbytes
