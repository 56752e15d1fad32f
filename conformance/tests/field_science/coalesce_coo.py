# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Shape, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int32)
I = TypeVar("I", np.int32, np.int64)


@kernel(
    sizes={"nnz": [6, 1, 0, 500]},
    promises=["atomic", "repeatable", "fresh"],
    parameters={"shape": {"value": [3, 5]}},
    calls=[
        {
            "arguments": {
                "rows": np.array([2, 0, 2, 0], np.int32),
                "cols": np.array([1, 3, 1, 0], np.int32),
                "values": np.array([1, 2, 4, 8], np.float32),
                "shape": [3, 4],
                "duplicates": "sum",
                "inverse": {"shape": [4]},
            },
            "expected": {
                "result[0]": "[0, 0, 2]",
                "result[1]": "[0, 3, 1]",
                "result[2]": "[8, 2, 5]",
                "inverse": "[2, 1, 2, 0]",
            },
        },
        {
            "arguments": {
                "rows": np.array([90000, 50000, 1], np.int32),
                "cols": np.array([90000, 0, 2], np.int32),
                "values": np.array([1, 2, 3], np.float64),
                "shape": [100000, 100000],
                "duplicates": "sum",
                "inverse": None,
            },
            "expected": {
                "result[0]": "[1, 50000, 90000]",
                "result[1]": "[2, 0, 90000]",
                "result[2]": "[3, 2, 1]",
            },
        },
        {
            "arguments": {
                "rows": np.array([1, 0], np.int64),
                "cols": np.array([0, 4], np.int64),
                "values": np.array([1, 2], np.int32),
                "shape": [5, 4],
                "duplicates": "keep_last",
                "inverse": None,
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "rows": np.array([3] * 40 + [1], np.int64),
                "cols": np.array([2] * 40 + [0], np.int64),
                "values": np.arange(41).astype(np.int32),
                "shape": [4, 4],
                "duplicates": "keep_last",
                "inverse": None,
            },
            "expected": {"result[0]": "[1, 3]", "result[1]": "[0, 2]", "result[2]": "[40, 39]"},
        },
    ],
)
def coalesce_coo(
    rows: Annotated[Tensor[I, "nnz"], Range(0, "shape[0] - 1")],
    cols: Annotated[Tensor[I, "nnz"], Range(0, "shape[1] - 1")],
    values: Tensor[T, "nnz"],
    shape: Annotated[Shape["_ _"], Range(0)],
    duplicates: Literal["sum", "keep_last"],
    inverse: Optional[Out[Tensor[np.int64, "nnz"]]],
) -> tuple[Tensor[I, "_"], Tensor[I, "_"], Tensor[T, "_"]]:
    places = {}
    for i, (r, c) in enumerate(zip(rows.tolist(), cols.tolist())):
        places.setdefault((r, c), []).append(i)
    out_r, out_c = [], []
    out_v = np.zeros(len(places), values.dtype)
    for at, place in enumerate(sorted(places)):
        entries = places[place]
        out_r.append(place[0])
        out_c.append(place[1])
        if duplicates == "keep_last":
            out_v[at] = values[entries[-1]]
        else:
            for i in entries:
                out_v[at] += values[i]
        if inverse is not None:
            inverse[entries] = at
    return np.array(out_r, rows.dtype), np.array(out_c, rows.dtype), out_v
