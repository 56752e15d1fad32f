# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int64)
NAN = float("nan")


@kernel(
    sizes={"n": [7, 0, 1, 50]},
    parameters={
        "x": {"layout": "strided"},
        "f": {
            "parameters": [{"name": "part", "kind": "tensor", "dtype": "float64", "shape": "_"}],
            "result": {"kind": "float"},
            "does": "sum(part) + 2*part[0]",
        },
        "out": {"layout": "contiguous"},
    },
    promises=["atomic"],
    calls=[
        {
            "arguments": {
                "x": np.array([1, NAN, 3, 4, NAN, 8], np.float64),
                "window": 3,
                "min_periods": least,
                "out": {"shape": [6]},
            }
        }
        for least in (None, 1, 2, 3)
    ]
    + [
        {
            "arguments": {
                "x": np.array([1, 2, 3, 4], np.int64),
                "window": 2,
                "min_periods": None,
                "out": {"shape": [4]},
            }
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3, 4], np.int64),
                "window": 1000000,
                "min_periods": 2,
                "out": {"shape": [4]},
            }
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3, 4], np.int64),
                "window": 2,
                "min_periods": 3,
                "out": {"shape": [4]},
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3, 4], np.int64),
                "window": 2,
                "min_periods": 0,
                "out": {"shape": [4]},
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def rolling_apply(
    x: Tensor[T, "n"],
    window: Annotated[int, Examples(3, 1, 5), Range(1, 1000000)],
    f: Callable[[Tensor[np.float64, "_"]], float],
    min_periods: Optional[Annotated[int, Examples(1, 2), Range(1, "window")]],
    out: Out[Tensor[np.float64, "n"]],
) -> int:
    least = window if min_periods is None else min_periods
    calls = 0
    for i in range(len(x)):
        part = x[max(0, i - window + 1) : i + 1].astype(np.float64)
        part = part[~np.isnan(part)]
        out[i] = NAN
        if len(part) >= least:
            calls += 1
            out[i] = f(part)
    return calls
