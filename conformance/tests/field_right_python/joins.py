# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.int64)


@kernel(
    sizes={"d": [3, 1]},
    tolerance=0,
    promises=["fresh", "repeatable"],
    calls=[
        {
            "arguments": {
                "first": np.array([[1, 2]], np.int64),
                "more": [np.zeros((0, 2), np.int64), np.array([[3, 4], [5, 6]], np.int64)],
            },
            "expected": {"result": "[[1, 2], [3, 4], [5, 6]]"},
        }
    ],
)
def concat_rows(first: Tensor[T, "_ d"], *more: Tensor[T, "_ d"]) -> Tensor[T, "_ d"]:
    return np.concatenate((first, *more))


@kernel(sizes={"d": [2, 5, 0]}, tolerance=0, promises=["fresh"])
def concat_list(parts: list[Tensor[T, "_ d"]]) -> Tensor[T, "_ d"]:
    if len(parts) == 0:
        raise ValueError("parts must not be empty")
    return np.concatenate(list(parts))


@kernel(
    where=["sum(sizes) == n"],
    tolerance=0,
    promises=["fresh", "atomic"],
    calls=[
        {
            "arguments": {"x": np.arange(8, dtype=np.float32).reshape(4, 2), "sizes": [1, 0, 3]},
            "expected": {"result[0]": "x[:1]", "result[1]": "x[1:1]", "result[2]": "x[1:]"},
        },
        {"arguments": {"x": np.zeros((0, 3), np.int64), "sizes": []}},
        {
            "arguments": {"x": np.zeros((2, 3), np.float32), "sizes": [-1, 3]},
            "refused": {"kind": "ValueError"},
        },
    ],
)
def split(
    x: Tensor[T, "n d"], sizes: list[Annotated[int, Range(0, "n")]]
) -> list[Tensor[T, "_ d"]]:
    ends = np.cumsum([0, *list(sizes)])
    return [x[a:b].copy() for a, b in zip(ends, ends[1:])]
