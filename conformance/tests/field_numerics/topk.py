# SPDX-License-Identifier: Apache-2.0
"""The k largest or smallest elements along the last dimension."""

from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int32, np.int64)

nan, inf = np.nan, np.inf


@kernel(
    sizes={"n": [9, 1, 0, 300]},
    promises=["atomic", "repeatable", "fresh"],
    refuses=[
        {"with": {"k": -1}, "kind": "ValueError", "message": "k must be"},
        {"with": {"threads": 0}, "kind": "ValueError", "message": "threads must be"},
        {"when": "k > n", "kind": "ValueError", "message": "k must be"},
    ],
    calls=[
        {
            "arguments": {
                "x": np.array([[1, nan, -inf, inf], [nan, nan, 0, -1]], np.float32),
                "k": 3,
                "largest": largest,
                "index_dtype": "int64",
                "threads": 1,
            },
            "text": "NaN is larger than all numbers",
        }
        for largest in (True, False)
    ]
    + [
        {
            "arguments": {
                "x": np.array([[3, 1, 3, 3, 1, 1, 3, 1, 2, 2] * 4], dtype),
                "k": 30,
                "largest": largest,
                "index_dtype": "int32",
                "threads": 2,
            },
            "text": "equal elements, the first of them first",
        }
        for dtype in (np.float64, np.int32)
        for largest in (True, False)
    ]
    + [
        {
            "arguments": {
                "x": np.array([2**53, 2**53 + 1, -(2**63), 2**63 - 1, 2**63 - 2, -(2**63) + 1]),
                "k": 6,
                "largest": largest,
                "index_dtype": "int64",
                "threads": 1,
            },
            "text": "integers that no float64 holds",
        }
        for largest in (True, False)
    ]
    + [
        {
            "arguments": {
                "x": np.array([5, -(2**31), 2**31 - 1, 0, -7], np.int32),
                "k": 2,
                "largest": False,
                "index_dtype": "int32",
                "threads": 1,
            },
            "text": "the least int32",
        },
        {
            "arguments": {
                "x": np.array([0.0, -0.0, 0.0, -1.0]),
                "k": 0,
                "largest": True,
                "index_dtype": "int32",
                "threads": 1,
            },
            "text": "nothing",
        },
    ],
    tolerance=0,
)
def topk(
    x: Tensor[T, "*rows n", {"layout": "strided"}],
    k: Annotated[int, Examples(3, 1), Range(0, "n")],
    largest: bool,
    index_dtype: DType[np.int64, np.int32],
    threads: Annotated[int, Examples(1, 3), Range(1, 32)],
) -> tuple[Tensor[T, "*rows k"], Tensor["index_dtype", "*rows k"]]:
    if largest:
        # The order of the smallest of the reversed row, reversed: equal ones keep their order.
        order = x.shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    else:
        order = np.argsort(x, axis=-1, kind="stable")
    order = order[..., :k]
    return np.take_along_axis(x, order, axis=-1), order.astype(index_dtype)
