# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.float16)


@kernel(
    sizes={"d": [6, 1, 33]},
    tolerance={"float16": 2e-3, "float32": 1e-5, "float64": 1e-12},
    promises=["atomic", "repeatable"],
    parameters={"out": {"alias": "x"}},
    text="an elementwise product and sum, computed in float64",
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 2, 3], [4, 5, 6]], np.float32),
                "scale": np.array([1, 10, 100], np.float32),
                "alpha": 0.5,
                "beta": 1,
                "out": {"shape": [2, 3]},
            },
            "expected": {"out": "x * scale / 2 + 1"},
        },
        {
            "arguments": {
                "x": np.array([1, np.inf, np.nan, -0.0], np.float64),
                "scale": np.array([2], np.float64),
                "alpha": -1.0,
                "beta": None,
                "out": {"shape": [4], "dtype": "float64"},
            },
        },
    ],
    refuses=[
        {"with": {"beta": 1e6}, "kind": "ValueError", "message": "beta must"},
        {"when": "scale.shape[0] != 1 and scale.shape[0] != x.shape[-1]", "kind": "ValueError"},
    ],
)
def blend(
    x: Tensor[T, "*batch d", {"layout": "strided"}],
    scale: Tensor[T, "#d"],
    alpha: Annotated[float, Examples(0.25, -2.0, 0.0)],
    beta: Annotated[Optional[float], Range(-1000, 1000)],
    out: Out[Tensor[T, "*batch d"]],
) -> None:
    with np.errstate(all="ignore"):
        v = alpha * x.astype(np.float64) * scale.astype(np.float64)
        out[...] = v + (0.0 if beta is None else beta)


@kernel(
    tolerance=1e-6,
    sizes={"n": [3, 0, 1]},
    calls=[{"arguments": {"x": np.eye(3), "sign": -1, "mode": None}, "expected": {"result": "-3"}}],
)
def trace(
    x: Tensor[(np.float32, np.float64), "n n", {"layout": "strided"}],
    sign: Literal[1, -1],
    mode: Optional[Literal["abs"]],
) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += abs(float(x[i, i])) if mode == "abs" else float(x[i, i])
    return sign * total
