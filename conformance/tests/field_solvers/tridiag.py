# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
ROWS = {"layout": "rows"}
ONE = {
    "dl": np.array([[9, 1, -1], [9, 2, 1]], np.float64),
    "d": np.array([[2, 3, 4], [1, 5, -3]], np.float64),
    "du": np.array([[1, 1, 9], [1, -2, 9]], np.float64),
    "b": np.array([[3, 5, 1], [4, 2, 0.5]], np.float64),
    "x": {"shape": [2, 3]},
    "pivots": {"shape": [2]},
    "threads": 2,
}


def many(zero_at=None):
    g, n = 600, 64
    i = np.arange(g * n).reshape(g, n)
    d = 4.0 + i % 3
    if zero_at is not None:
        d[zero_at, 0] = 0
    return {
        "arguments": {
            "dl": np.cos(i),
            "d": d,
            "du": np.sin(i),
            "b": (i * 7 % 11) - 5.0,
            "x": {"shape": [g, n]},
            "pivots": {"shape": [g]},
            "threads": 4,
        }
    }


def refused(**other):
    return {"arguments": {**ONE, **other}, "refused": {"kind": "ValueError", "message": "pivot"}}


@kernel(
    sizes={"g": [3, 1, 40], "n": [5, 1, 33]},
    parameters={"pivots": {"layout": "contiguous"}},
    tolerance={"float32": 1e-4, "float64": 1e-9},
    promises=["atomic", "repeatable"],
    text="row by row the solution of a tridiagonal system, without pivoting; dl[:, 0] and du[:, -1] mean nothing; pivots: the least of each system",
    calls=[
        {"arguments": ONE},
        {"arguments": {**ONE, "pivots": None, "threads": 1}},
        many(),
        {
            "arguments": {
                **ONE,
                **{k: np.zeros((2, 0)) for k in ("dl", "d", "du", "b")},
                "x": {"shape": [2, 0]},
            }
        },
        {
            "arguments": {
                **ONE,
                **{k: np.zeros((0, 3)) for k in ("dl", "d", "du", "b")},
                "x": {"shape": [0, 3]},
                "pivots": {"shape": [0]},
            }
        },
        refused(d=np.array([[0, 3, 4], [1, 5, -3]], np.float64)),
        refused(d=np.array([[2, 3, 4], [1, 2, -3]], np.float64)),
        refused(
            d=np.array([[2, 3, 4], [1, 5, -3]], np.float64),
            dl=np.array([[9, 1, -1], [9, 3, 3]], np.float64),
        ),
        {**many(zero_at=580), "refused": {"kind": "ValueError", "message": "pivot"}},
        {**many(zero_at=3), "refused": {"kind": "ValueError", "message": "pivot"}},
    ],
)
def tridiag(
    dl: Annotated[Tensor[T, "g n", ROWS], Range(-1, 1)],
    d: Annotated[Tensor[T, "g n", ROWS], Range(3, 8)],
    du: Annotated[Tensor[T, "g n", ROWS], Range(-1, 1)],
    b: Annotated[Tensor[T, "g n", ROWS], Range(-100, 100)],
    x: Out[Tensor[T, "g n", {"layout": "rows", "alias": "b"}]],
    pivots: Optional[Out[Tensor[T, "g"]]],
    threads: Annotated[int, Examples(1, 4), Range(1, 16)],
) -> None:
    g, n = b.shape
    least = np.full(g, np.inf)
    y = np.zeros((g, n))
    c = np.zeros((g, n))
    for s in range(g):
        for i in range(n):
            pivot = float(d[s, i]) - (float(dl[s, i]) * c[s, i - 1] if i else 0)
            if not abs(pivot) > 0:
                raise ValueError("pivot of zero")
            least[s] = min(least[s], abs(pivot))
            c[s, i] = float(du[s, i]) / pivot
            y[s, i] = (float(b[s, i]) - (float(dl[s, i]) * y[s, i - 1] if i else 0)) / pivot
        for i in range(n - 2, -1, -1):
            y[s, i] -= c[s, i] * y[s, i + 1]
    x[...] = y
    if pivots is not None:
        pivots[...] = least
