# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int32)


def call(text, x, k, largest=True, index_dtype="int64", lengths=None):
    return {
        "text": text,
        "arguments": {
            "x": x,
            "k": k,
            "largest": largest,
            "index_dtype": index_dtype,
            "lengths": lengths,
        },
    }


@kernel(
    text="The k largest or smallest elements of each row in order; of equal ones the first comes first, and NaN is the largest.",
    sizes={"m": [3, 1, 0], "n": [8, 50]},
    tolerance=0,
    promises=["atomic", "repeatable", "fresh"],
    parameters={"x": {"layout": "rows"}, "lengths": {"layout": "contiguous"}},
    refuses=[
        {"when": "k > n", "kind": "ValueError", "message": "k must be"},
        {"when": "k < 0", "kind": "ValueError", "message": "k must be"},
        {
            "when": "lengths is not None and any(lengths > n)",
            "kind": "ValueError",
            "message": "lengths must be",
        },
        {
            "when": "lengths is not None and any(lengths < 0)",
            "kind": "ValueError",
            "message": "lengths must be",
        },
    ],
    calls=[
        call("equal elements", np.array([[3, 1, 3, 1, 3, 2, 3, 1]], np.float32), 5),
        call(
            "and the smallest", np.array([[3, 1, 3, 1, 3, 2, 3, 1]], np.float64), 5, False, "int32"
        ),
        call("many of them", np.tile(np.array([[2, 1, 0, 2, 1]], np.int32), (2, 12)), 30, False),
        call(
            "NaN is the largest", np.array([[1, np.nan, np.inf, -np.inf, np.nan, 0]], np.float32), 4
        ),
        call(
            "so it is the last of the smallest",
            np.array([[np.nan, 1, np.inf, -np.inf, 0, np.nan]], np.float64),
            6,
            False,
        ),
        call(
            "whole numbers that floats can't tell apart",
            np.array([[2**24, 2**24 + 1, 2**24 + 2, 2**24 + 3, -(2**31)]], np.int32),
            5,
        ),
        call(
            "shorter rows",
            np.arange(12, dtype=np.float32).reshape(3, 4),
            3,
            True,
            "int32",
            np.array([4, 2, 0], np.int32),
        ),
        call("nothing", np.arange(12, dtype=np.float32).reshape(3, 4), 0),
    ],
)
def topk(
    x: Tensor[T, "m n"],
    k: Annotated[int, Examples(3, 1), Range(0, "n")],
    largest: bool,
    index_dtype: DType[np.int32, np.int64],
    lengths: Optional[Annotated[Tensor[np.int32, "m"], Range(0, "n")]],
) -> tuple[Tensor[T, "m k"], Tensor[(np.int32, np.int64), "m k"]]:
    m, n = x.shape
    values = np.zeros((m, k), x.dtype)
    indices = np.full((m, k), -1, index_dtype)
    for i in range(m):
        row = x[i, : n if lengths is None else lengths[i]]

        def key(j, row=row):
            nan = bool(row[j] != row[j])
            value = 0 if nan else row[j].item()
            return (not nan, -value, j) if largest else (nan, value, j)

        for place, j in enumerate(sorted(range(len(row)), key=key)[:k]):
            values[i, place] = row[j]
            indices[i, place] = j
    return values, indices
