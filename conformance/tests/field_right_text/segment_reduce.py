# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
At = TypeVar("At", np.int32, np.int64)


@kernel(
    sizes={"n": [6, 0, 50], "m": [3, 1, 9], "d": [2, 1]},
    where=["at[0] == 0", "at[-1] == n", "at[1:] >= at[:-1]"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([[1, -1], [3, 5], [3, 2]], np.float32),
                "at": np.array([0, 0, 3], np.int32),
                "op": "max",
                "fill": -2.5,
                "out": {"shape": [2, 2]},
                "rows": {"shape": [2, 2]},
            },
            "expected": {"out": "[[-2.5, -2.5], [3, 5]]", "rows": "[[-1, -1], [1, 1]]"},
            "text": "of equal ones the first is the largest",
        },
        {
            "arguments": {
                "x": np.array([[1, 2], [3, 4]], np.float64),
                "at": np.array([0, 2, 2], np.int64),
                "op": "mean",
                "fill": None,
                "out": {"shape": [2, 2]},
                "rows": None,
            },
            "refused": {"kind": "ValueError", "message": "empty segment"},
        },
    ],
)
def segment_reduce(
    x: Tensor[T, "n d"],
    at: Annotated[Tensor[At, "m+1"], Range(0, "n")],
    op: Literal["sum", "mean", "max"],
    fill: Optional[Annotated[float, Examples(0.0, -1.5)]],
    out: Out[Tensor[T, "m d"]],
    rows: Optional[Out[Tensor[np.int64, "m d"]]],
) -> None:
    """An empty segment is `fill`: 0 for a sum, if that is None, and refused for the others."""
    if rows is not None and op != "max":
        raise ValueError("rows are those of a maximum")
    if fill is None and op != "sum" and (np.diff(at) == 0).any():
        raise ValueError("an empty segment")
    for s, (a, b) in enumerate(zip(at, at[1:])):
        if a == b:
            out[s] = 0.0 if fill is None else fill
            if rows is not None:
                rows[s] = -1
            continue
        part = x[a:b].astype(np.float64)
        out[s] = {"sum": part.sum, "mean": part.mean, "max": part.max}[op](axis=0)
        if rows is not None:
            rows[s] = a + part.argmax(axis=0)
