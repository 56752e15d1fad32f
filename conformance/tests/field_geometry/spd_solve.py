# SPDX-License-Identifier: Apache-2.0
"""spd_solve: a batch of symmetric positive definite systems, by Cholesky's method."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


def factor(l):
    n = len(l)
    for j in range(n):
        pivot = l[j, j]
        for k in range(j):
            pivot = pivot - l[j, k] * l[j, k]
        if not (pivot > 0) or not np.isfinite(pivot):
            return j + 1
        l[j, j] = np.sqrt(pivot)
        for i in range(j + 1, n):
            s = l[i, j]
            for k in range(j):
                s = s - l[i, k] * l[j, k]
            l[i, j] = s / l[j, j]
    return 0


def systems(m, n, dtype, triangle):
    """Well conditioned systems, whose other triangle holds something else."""
    rng = np.random.default_rng(100 * m + n)
    g = rng.uniform(-1, 1, (m, n, n))
    a = g @ g.transpose(0, 2, 1) + n * np.eye(n)
    keep = np.tril(np.ones((n, n))) if triangle == "L" else np.triu(np.ones((n, n)))
    return np.where(keep > 0, a, 77.0).astype(dtype)


def right(m, n, k, dtype):
    return np.random.default_rng(m + n + k).uniform(-1, 1, (m, n, k)).astype(dtype)


def call(m, n, k, dtype, uplo, threads, info, bad=(), value=-1.0, at=0):
    a = systems(m, n, dtype, uplo)
    for s in bad:
        a[s, at, at] = value
    return {
        "arguments": {
            "a": a,
            "b": right(m, n, k, dtype),
            "uplo": uplo,
            "x": {"shape": [m, n, k]},
            "info": {"shape": [m]} if info else None,
            "threads": threads,
        }
    }


def refused(m, n, k, dtype, uplo, threads, bad, value, at):
    c = call(m, n, k, dtype, uplo, threads, False, bad, value, at)
    c["refused"] = {"kind": "ValueError", "message": "not positive definite"}
    return c


@kernel(
    sizes={"n": [3, 1, 0, 6], "m": [4, 1, 0, 9], "k": [2, 1, 0]},
    tolerance={"float32": 1e-4, "float64": 1e-8},
    promises=["atomic", "repeatable"],
    parameters={"x": {"alias": "b"}},
    calls=[
        call(4, 3, 2, np.float32, "L", 1, False),
        call(4, 3, 2, np.float64, "U", 2, True),
        call(1, 8, 1, np.float32, "U", 0, False),
        call(9, 6, 3, np.float64, "L", 4, False),
        call(40, 12, 2, np.float32, "U", 8, True),
        call(128, 40, 1, np.float64, "L", 4, True),
        call(2, 1, 1, np.float64, "U", 1, True),
        call(5, 4, 2, np.float64, "L", 2, True, bad=(1, 3), value=-1.0, at=2),
        call(5, 4, 2, np.float32, "U", 1, True, bad=(0,), value=0.0, at=0),
        call(3, 4, 1, np.float64, "U", 3, True, bad=(2,), value=np.nan, at=3),
        call(3, 4, 1, np.float32, "L", 1, True, bad=(1,), value=np.inf, at=1),
        refused(5, 4, 2, np.float64, "L", 1, (3,), -1.0, 2),
        refused(6, 3, 1, np.float32, "U", 2, (5,), 0.0, 0),
        refused(2, 3, 1, np.float64, "L", 1, (1,), np.nan, 2),
    ],
    text="""Only the triangle that uplo names is read. With info a system that is not positive definite has
    the order of its first bad leading minor there, and NaN as solution; without it this is an error.""",
)
def spd_solve(
    a: Tensor[T, "m n n", {"layout": "rows"}],
    b: Tensor[T, "m n k"],
    uplo: Literal["L", "U"],
    x: Out[Tensor[T, "m n k"]],
    info: Optional[Out[Tensor[np.int32, "m"]]],
    threads: Annotated[int, Range(0, 64)],
) -> None:
    m, n, k = b.shape
    status = np.zeros(m, np.int32)
    solutions = np.zeros((m, n, k))
    with np.errstate(all="ignore"):
        for s in range(m):
            one = a[s].astype(np.float64)
            l = np.tril(one if uplo == "L" else one.T)
            status[s] = factor(l)
            if status[s]:
                solutions[s] = np.nan
                continue
            l = np.tril(l)
            r = b[s].astype(np.float64)
            for i in range(n):
                r[i] = (r[i] - l[i, :i] @ r[:i]) / l[i, i]
            for i in reversed(range(n)):
                r[i] = (r[i] - l[i + 1 :, i] @ r[i + 1 :]) / l[i, i]
            solutions[s] = r
        if info is None and status.any():
            raise ValueError("not positive definite")
        x[...] = solutions
    if info is not None:
        info[...] = status
