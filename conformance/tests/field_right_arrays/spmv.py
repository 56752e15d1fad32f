# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)
T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"rows": [4, 1, 9], "cols": [5, 2], "nnz": [7, 0, 20]},
    where=["indptr[0] == 0", "indptr[-1] == nnz", "indptr[1:] >= indptr[:-1]"],
    tolerance={"float32": 1e-6, "float64": 1e-13},
    promises=["atomic", "repeatable"],
    refuses=[
        {
            "with": {"indices": {"dtype": "int32", "elements": [0, 1, 2, 3, 4, 5, 0]}, "cols": 5},
            "kind": "IndexError",
            "message": "no column 5",
        },
    ],
    calls=[
        {
            "arguments": {
                "indptr": np.array([0, 2, 2, 3], np.int64),
                "indices": np.array([0, 3, 1], np.int64),
                "values": np.array([2, -1, 10], np.float64),
                "x": np.array([1, 2, 3, 4], np.float64),
                "y": np.array([100, 200, 300], np.float64),
                "accumulate": True,
            },
            "expected": {"y": "[98, 200, 320]"},
        },
        {
            "text": "no row, and no element",
            "arguments": {
                "indptr": np.array([0], np.int32),
                "indices": np.zeros(0, np.int32),
                "values": np.zeros(0, np.float32),
                "x": np.zeros(2, np.float32),
                "y": np.zeros(0, np.float32),
                "accumulate": False,
            },
        },
    ],
)
def spmv(
    indptr: Annotated[Tensor[I, "rows+1", {"layout": "contiguous"}], Range(0, "nnz")],
    indices: Annotated[Tensor[I, "nnz", {"layout": "contiguous"}], Range(0, "cols - 1")],
    values: Tensor[T, "nnz", {"layout": "contiguous"}],
    x: Tensor[T, "cols", {"layout": "contiguous"}],
    y: InOut[Tensor[T, "rows", {"layout": "contiguous"}]],
    accumulate: bool,
) -> None:
    for i in range(len(y)):
        total = np.float64(y[i]) if accumulate else np.float64(0)
        for k in range(indptr[i], indptr[i + 1]):
            total += np.float64(values[k]) * np.float64(x[indices[k]])
        y[i] = total
