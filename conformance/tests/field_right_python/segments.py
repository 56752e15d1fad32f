# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, NotRequired, Optional, Required, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


class Options(TypedDict, total=False):
    mode: Required[Literal["sum", "mean", "max"]]
    scale: Annotated[float, Range(0, 8)]
    empty: NotRequired[Literal["zero", "refuse"]]


@kernel(
    sizes={"n": [7, 0, 40], "m": [3, 1]},
    where=["at[0] == 0", "at[-1] == n", "at[1:] >= at[:-1]"],
    parameters={
        "options": {"other_keys": "refused"},
        "counts": {"spellings": ["borrowed", "object"]},
    },
    promises=["atomic", "repeatable"],
    tolerance={"float32": 1e-5, "float64": 1e-12},
    calls=[
        {
            "arguments": {
                "x": np.array([1, 2, 4, 8], np.float32),
                "at": np.array([0, 1, 1, 4], np.int32),
                "options": {"mode": "mean", "scale": 3.0},
                "out": {"shape": [3], "dtype": "float32"},
                "counts": {"shape": [3]},
            },
            "expected": {"out": "[3, 0, 14]", "counts": "[1, 0, 3]"},
        },
        {
            "arguments": {
                "x": np.array([5, -1, np.nan], np.float64),
                "at": np.array([0, 2, 3], np.int32),
                "options": {"mode": "max", "empty": "refuse"},
                "out": {"shape": [2], "dtype": "float64"},
                "counts": None,
            },
        },
        {
            "arguments": {
                "x": np.array([5, -1], np.float64),
                "at": np.array([0, 0, 2], np.int32),
                "options": {"mode": "sum", "empty": "refuse"},
                "out": {"shape": [2], "dtype": "float64"},
                "counts": None,
            },
            "refused": {"kind": "ValueError", "message": "segment 0 is empty"},
        },
        {
            "arguments": {
                "x": np.array([5, -1], np.float32),
                "at": np.array([0, 3], np.int32),
                "options": {"mode": "sum"},
                "out": {"shape": [1], "dtype": "float32"},
                "counts": None,
            },
            "refused": True,
        },
    ],
)
def segments(
    x: Tensor[T, "n", {"layout": "strided"}],
    at: Annotated[Tensor[np.int32, "m+1"], Range(0, "n")],
    options: Options,
    out: Out[Tensor[T, "m"]],
    counts: Optional[Out[Tensor[np.int32, "m"]]],
) -> None:
    lengths = np.diff(at)
    if options.get("empty") == "refuse" and (lengths == 0).any():
        raise ValueError("a segment is empty")
    for k, (a, b) in enumerate(zip(at[:-1], at[1:])):
        part = x[a:b].astype(np.float64)
        with np.errstate(all="ignore"):
            if options["mode"] == "max":
                v = part.max() if b > a else 0.0
            else:
                v = 0.0
                for e in part:
                    v += e
                if options["mode"] == "mean" and b > a:
                    v /= float(b - a)
            out[k] = v * options.get("scale", 1.0)
    if counts is not None:
        counts[...] = lengths
