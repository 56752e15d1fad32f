# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
STRIDED = {"layout": "strided"}


@kernel(
    sizes={"n": [4, 1, 0, 9]},
    where=["isfinite(a)"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "a": np.array([[1, 2], [4, 2]], np.float64),
                "pivots": {"shape": [2]},
            },
            "expected": {"a": "[[4, 2], [0.25, 1.5]]", "pivots": "[1, 1]", "result": "-1"},
        },
        {
            "arguments": {
                "a": np.array([[1, 2], [2, 4]], np.float32),
                "pivots": {"shape": [2]},
            },
            "refused": {"kind": "ValueError", "message": "singular"},
        },
    ],
)
def lu_factor(a: InOut[Tensor[T, "n n", STRIDED]], pivots: Out[Tensor[np.int32, "n"]]) -> int:
    n = len(a)
    w = a.astype(np.float64)
    sign = 1
    with np.errstate(all="ignore"):
        for k in range(n):
            best = k + int(np.argmax(np.abs(w[k:, k])))
            if w[best, k] == 0:
                raise ValueError("singular")
            pivots[k] = best
            if best != k:
                w[[k, best]] = w[[best, k]]
                sign = -sign
            for i in range(k + 1, n):
                w[i, k] /= w[k, k]
                w[i, k + 1 :] -= w[i, k] * w[k, k + 1 :]
            if not np.isfinite(w).all():
                raise ValueError("too large")
        a[...] = w
    return sign


@kernel(
    sizes={"n": [3, 1, 8], "r": [2, 1, 0]},
    where=["pivots >= arange(n)"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "lu": np.array([[4, 2], [0.25, 1.5]], np.float64),
                "pivots": np.array([1, 1], np.int32),
                "b": np.array([[3], [6]], np.float64),
                "transposed": False,
            },
            "expected": {"b": "[[1], [1]]"},
        },
        {
            "arguments": {
                "lu": np.array([[4, 2], [0.25, 1.5]], np.float64),
                "pivots": np.array([1, 1], np.int32),
                "b": np.array([[5], [4]], np.float64),
                "transposed": True,
            },
            "expected": {"b": "[[1], [1]]"},
        },
        {
            "arguments": {
                "lu": np.array([[4, 2], [0.25, 0]], np.float64),
                "pivots": np.array([1, 1], np.int32),
                "b": np.array([[5], [4]], np.float64),
                "transposed": True,
            },
            "refused": {"kind": "ValueError", "message": "singular"},
        },
    ],
)
def lu_solve(
    lu: Tensor[T, "n n", STRIDED],
    pivots: Annotated[Tensor[np.int32, "n"], Range(0, "n - 1")],
    b: InOut[Tensor[T, "n r", STRIDED]],
    transposed: bool,
) -> None:
    n = len(lu)
    f = lu.astype(np.float64)
    if (np.diagonal(f) == 0).any():
        raise ValueError("singular")
    w = b.astype(np.float64)
    with np.errstate(all="ignore"):
        if transposed:
            for i in range(n):
                for k in range(i):
                    w[i] -= f[k, i] * w[k]
                w[i] /= f[i, i]
            for i in reversed(range(n)):
                for k in range(i + 1, n):
                    w[i] -= f[k, i] * w[k]
            for k in reversed(range(n)):
                w[[k, pivots[k]]] = w[[pivots[k], k]]
        else:
            for k in range(n):
                w[[k, pivots[k]]] = w[[pivots[k], k]]
            for i in range(n):
                for k in range(i):
                    w[i] -= f[i, k] * w[k]
            for i in reversed(range(n)):
                for k in range(i + 1, n):
                    w[i] -= f[i, k] * w[k]
                w[i] /= f[i, i]
        b[...] = w
