# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, "bfloat16", np.uint8)
F = TypeVar("F", np.float32, np.float64)


@kernel(
    tolerance=0,
    promises=["atomic", "repeatable", "fresh"],
    sizes={"n": [5, 1, 0], "m": [3, 0, 8]},
    calls=[
        {
            "arguments": {
                "x": np.arange(6, dtype=np.float32).reshape(3, 2),
                "i": np.array([2, 2, 0], np.int64),
            }
        },
        {
            "arguments": {
                "x": {"elements": [[1, 2], [3, 4]], "dtype": "uint8"},
                "i": {"elements": [1], "dtype": "int32"},
            },
            "expected": {"result": "x[1:]"},
        },
        {
            "arguments": {"x": np.ones((2, 2), np.float32), "i": np.array([-1], np.int32)},
            "refused": {"kind": "IndexError", "message": "index -1"},
            "text": "no index from the end",
        },
    ],
)
def take_rows(
    x: Tensor[T, "n d", {"layout": "rows"}],
    i: Annotated[Tensor[(np.int32, np.int64), "m"], Range(0, "n - 1")],
) -> Tensor[T, "m d"]:
    return x[i].copy()


@kernel(
    sizes={"n": [4, 1, 9], "m": [2, 0, 5], "d": [3, 0]},
    tolerance={"float32": 1e-6, "float64": 1e-14},
    promises=["atomic"],
    refuses=[{"with": {"mode": "mul"}, "kind": "ValueError", "message": "mode must be set or add"}],
    calls=[
        {
            "arguments": {
                "x": np.zeros((2, 1), np.float64),
                "i": np.array([1, 1, 1], np.int32),
                "values": np.array([[1], [2], [4]], np.float64),
                "mode": "add",
            },
            "expected": {"x": "[[0], [7]]"},
        }
    ],
)
def put_rows(
    x: InOut[Tensor[F, "n d"]],
    i: Annotated[Tensor[(np.int32, np.int64), "m"], Range(0, "n - 1")],
    values: Tensor[F, "m d", {"layout": "rows"}],
    mode: Literal["set", "add"],
) -> None:
    for k, row in zip(i, values):
        if mode == "set":
            x[k] = row
        else:
            x[k] += row
