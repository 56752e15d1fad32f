# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Optional

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel


@kernel(
    parameters={"f": {"does": "2*x + 1"}},
    promises=["atomic"],
    sizes={"n": [4, 0, 17]},
    calls=[
        {
            "arguments": {
                "x": np.array([1.0, 2.0, 3.0]),
                "f": {"does": ["x * 10", "x", "-x"]},
                "out": {"shape": [3]},
            },
            "expected": {"out": "[10, 2, -3]"},
        }
    ],
)
def map_values(
    x: Tensor[np.float64, "n", {"layout": "strided"}],
    f: Callable[[float], float],
    out: Out[Tensor[np.float64, "n"]],
) -> None:
    out[...] = [f(float(v)) for v in x]


@kernel(
    parameters={
        "f": {
            "parameters": [{"name": "total", "kind": "float"}, {"name": "v", "kind": "float"}],
            "does": "total / 2 + v",
        }
    },
    calls=[
        {
            "arguments": {"x": np.array([1.0, 2.0, 4.0]), "start": None},
            "expected": {"result": "5.25"},
        },
        {
            "arguments": {
                "x": np.array([1.0, 2.0, 4.0]),
                "f": {"does": ["total - v", "nan"]},
                "start": 0.0,
            },
            "refused": {"kind": "ValueError", "message": "NaN for element 1"},
        },
    ],
)
def fold(
    x: Tensor[np.float64, "n"], f: Callable[[float, float], float], start: Optional[float]
) -> float:
    values = [float(v) for v in x]
    if start is None and not values:
        raise ValueError("nothing to fold")
    v = values.pop(0) if start is None else start
    for e in values:
        v = f(v, e)
        if v != v:
            raise ValueError("NaN")
    return v


@kernel(parameters={"f": {"does": "x + 1"}}, promises=["fresh"])
def transform(
    x: Tensor[np.float32, "n"],
    f: Optional[Callable[[Tensor[np.float32, "n"]], Tensor[np.float32, "n"]]],
) -> Tensor[np.float32, "n"]:
    return x.copy() if f is None else f(x)
