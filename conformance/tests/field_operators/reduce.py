# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


@kernel(
    text="Sum, mean, max, min or var over some axes, or over all of them. The sum of int32 is int64.",
    sizes={"a": [3, 1], "b": [4, 0], "c": [5, 33]},
    tolerance={"float16": 2e-3, "float32": 1e-6, "float64": 1e-12},
    promises=["atomic", "repeatable", "fresh"],
    refuses=[
        {
            "when": 'op != "var" and correction != 0',
            "kind": "ValueError",
            "message": "correction must be 0",
        },
        {"with": {"axes": [1, 1]}, "kind": "ValueError", "message": "axes must differ"},
        {"with": {"axes": [0, -3]}, "kind": "ValueError", "message": "axes must differ"},
        {"with": {"axes": [3]}, "kind": "ValueError", "message": "axes must be from"},
        {"with": {"axes": [-4]}, "kind": "ValueError", "message": "axes must be from"},
        {"with": {"op": "prod"}, "kind": "ValueError", "message": "op must be"},
    ],
    calls=[
        {
            "text": "more than 32 bits",
            "arguments": {
                "x": np.full((2, 2, 2), 2147483647, np.int32),
                "op": "sum",
                "axes": [0],
                "keepdims": False,
                "correction": 0,
            },
        },
        {
            "text": "more than float16 can count",
            "arguments": {
                "x": np.ones((1, 2, 4096), np.float16),
                "op": "sum",
                "axes": [-1],
                "keepdims": False,
                "correction": 0,
            },
        },
        {
            "text": "a mean that is large against the deviations",
            "arguments": {
                "x": (1e9 + np.arange(12.0)).reshape(1, 3, 4),
                "op": "var",
                "axes": [1, 2],
                "keepdims": True,
                "correction": 1,
            },
        },
        {
            "text": "NaN is the maximum",
            "arguments": {
                "x": np.array([[[1, np.nan, 3], [4, 5, np.inf]]], np.float32),
                "op": "max",
                "axes": [2],
                "keepdims": False,
                "correction": 0,
            },
        },
        {
            "text": "and the minimum",
            "arguments": {
                "x": np.array([[[1, np.nan, 3], [4, 5, -np.inf]]], np.float64),
                "op": "min",
                "axes": None,
                "keepdims": True,
                "correction": 0,
            },
        },
        {
            "text": "no axes: each element by itself",
            "arguments": {
                "x": np.arange(6, dtype=np.float32).reshape(1, 2, 3),
                "op": "mean",
                "axes": [],
                "keepdims": False,
                "correction": 0,
            },
        },
    ],
    parameters={"x": {"layout": "strided"}},
    checks=["arity", "kind", "dtype", "shape", "device", "value"],
)
def reduce(
    x: Tensor[(np.float16, np.float32, np.float64, np.int32), "a b c"],
    op: Literal["sum", "mean", "max", "min", "var"],
    axes: Optional[list[Annotated[int, Examples(-1, 0, 1, -3), Range(-3, 2)]]],
    keepdims: bool,
    correction: Annotated[int, Examples(0, 1), Range(0)],
) -> Tensor[(np.float16, np.float32, np.float64, np.int32, np.int64), "..."]:
    if x.dtype == np.int32 and op in ("mean", "var"):
        raise TypeError("x must be of floats")
    if op != "var" and correction != 0:
        raise ValueError("correction must be 0")
    over = (0, 1, 2) if axes is None else tuple(a % 3 for a in axes)
    if len(set(over)) != len(over):
        raise ValueError("axes must differ")
    count = int(np.prod([x.shape[a] for a in over], dtype=np.int64))
    if op == "var" and correction >= count:
        raise ValueError("correction must be less than the number of reduced elements")
    if op in ("max", "min") and count == 0:
        raise ValueError("x has no elements")
    if x.dtype == np.int32:
        if op == "sum":
            return np.asarray(x.astype(np.int64).sum(axis=over, keepdims=keepdims), np.int64)
        return np.asarray(getattr(x, op)(axis=over, keepdims=keepdims), np.int32)
    wide = x.astype(np.longdouble)
    with np.errstate(all="ignore"):
        if op == "var":
            out = wide.var(axis=over, keepdims=keepdims, ddof=correction)
        elif op == "mean":
            out = wide.sum(axis=over, keepdims=keepdims) / np.longdouble(count)
        else:
            out = getattr(wide, op)(axis=over, keepdims=keepdims)
        return np.asarray(out, x.dtype)
