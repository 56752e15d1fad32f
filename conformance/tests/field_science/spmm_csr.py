# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
I = TypeVar("I", np.int32, np.int64)


@kernel(
    sizes={"m": [4, 1, 300], "nnz": [7, 0, 2000], "n": [5, 1, 64], "d": [3, 1, 40]},
    where=["indptr[0] == 0", "indptr[-1] == nnz", "indptr[1:] >= indptr[:-1]"],
    promises=["atomic", "repeatable"],
    parameters={"x": {"layout": "rows"}},
    calls=[
        {
            "arguments": {
                "indptr": np.array([0], np.int64),
                "indices": np.zeros(0, np.int64),
                "values": None,
                "x": np.array([[1, 2], [3, 4]], np.float64),
                "out": {"shape": [0, 2], "dtype": "float64"},
                "reduce": "max",
                "num_threads": 3,
            },
        },
        {
            "arguments": {
                "indptr": np.array([0, 2, 2, 3], np.int32),
                "indices": np.array([1, 0, 1], np.int32),
                "values": np.array([2, -1, 0.5], np.float32),
                "x": np.array([[1, 2], [3, 4]], np.float32),
                "out": {"shape": [3, 2], "dtype": "float32"},
                "reduce": "mean",
                "num_threads": 2,
            },
            "expected": {"out": "[[2.5, 3], [0, 0], [1.5, 2]]"},
        },
        {
            "arguments": {
                "indptr": np.array([0, 2, 2, 3], np.int32),
                "indices": np.array([1, 0, 2], np.int32),
                "values": None,
                "x": np.array([[1, 2], [3, 4]], np.float32),
                "out": {"shape": [3, 2], "dtype": "float32"},
                "reduce": "sum",
                "num_threads": 1,
            },
            "refused": {"kind": "IndexError"},
        },
    ],
)
def spmm_csr(
    indptr: Annotated[Tensor[I, "m+1"], Range(0, "nnz")],
    indices: Annotated[Tensor[I, "nnz"], Range(0, "n - 1")],
    values: Optional[Tensor[T, "nnz"]],
    x: Tensor[T, "n d"],
    out: Out[Tensor[T, "m d"]],
    reduce: Literal["sum", "mean", "max"],
    num_threads: Annotated[int, Examples(1, 4), Range(1, 16)],
) -> None:
    for i in range(len(indptr) - 1):
        lo, hi = int(indptr[i]), int(indptr[i + 1])
        if lo == hi:
            out[i] = 0
            continue
        terms = x[indices[lo:hi]].astype(np.float64)
        if values is not None:
            terms = terms * values[lo:hi, None].astype(np.float64)
        if reduce == "max":
            out[i] = terms.max(axis=0)
        elif reduce == "mean":
            out[i] = terms.sum(axis=0) / (hi - lo)
        else:
            out[i] = terms.sum(axis=0)
