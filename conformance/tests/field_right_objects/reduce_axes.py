# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Tensor, kernel

TWO = np.array([[1, 2, 3], [4, 5, np.nan]], np.float64)


@kernel(
    sizes={"a": [2, 1], "b": [3, 0], "c": [5, 1]},
    checks=["arity", "kind", "dtype", "device", "value"],
    promises=["fresh", "repeatable"],
    tolerance=1e-9,
    refuses=[
        {"with": {"axes": 3}, "kind": "IndexError", "message": "axis 3"},
        {"with": {"axes": [0, -3]}, "kind": "ValueError", "message": "twice"},
    ],
    calls=[
        {
            "arguments": {"x": TWO[None], "how": "max", "axes": [1, 2], "keep": True},
            "expected": {"result": "[[[nan]]]"},
        },
        {"arguments": {"x": TWO[None], "how": "mean", "axes": -2, "keep": None}},
        {
            "arguments": {"x": TWO[None], "how": "sum", "axes": [], "keep": False},
            "expected": {"result": "x"},
        },
    ],
)
def reduce_axes(
    x: Tensor[np.float64, "a b c", {"layout": "strided"}],
    how: Literal["sum", "max", "mean"],
    axes: Optional[
        Union[Annotated[int, Examples(0, -1, 2)], list[Annotated[int, Examples(0, -2, 1)]]]
    ],
    keep: Optional[bool],
) -> Tensor[np.float64, "..."]:
    if isinstance(axes, list):
        axes = tuple(axes)
    names = range(3) if axes is None else axes if isinstance(axes, tuple) else (axes,)
    if any(not -3 <= i < 3 for i in names):
        raise IndexError("no such axis")
    if len({i % 3 for i in names}) != len(names):
        raise ValueError("an axis twice")
    if how != "sum" and any(x.shape[i] == 0 for i in names):
        raise ValueError("no elements")
    reduce = {"sum": np.sum, "max": np.max, "mean": np.mean}[how]
    return np.asarray(reduce(x, axis=axes, keepdims=bool(keep)), np.float64)
