# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"n": [9, 1, 0, 60]},
    where=["min_periods is None or min_periods <= window"],
    let={"least": "window if min_periods is None else min_periods"},
    refuses=[
        {"when": "least > window", "kind": "ValueError", "message": "min_periods"},
        {"with": {"window": 4097}, "kind": "ValueError", "message": "window must"},
    ],
    promises=["repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([1, np.nan, 3, 5], np.float32),
                "window": 2,
                "stat": "mean",
                "min_periods": 1,
                "out": {"shape": [4], "dtype": "float32"},
            },
            "expected": {"out": "[1, 1, 3, 4]"},
        },
        {
            "arguments": {
                "x": np.array([2, 2, 4, np.nan], np.float64),
                "window": 2,
                "stat": "std",
                "min_periods": None,
                "out": {"shape": [4], "dtype": "float64"},
            },
            "expected": {"out": "[nan, 0, 1, nan]"},
        },
    ],
)
def rolling(
    x: Tensor[T, "n"],
    window: Annotated[int, Examples(3, 5), Range(1, 4096)],
    stat: Literal["mean", "std", "min", "max"],
    min_periods: Optional[Annotated[int, Range(1, "window")]],
    out: Out[Tensor[T, "n"]],
) -> None:
    least = window if min_periods is None else min_periods
    for i in range(len(x)):
        w = x[max(0, i + 1 - window) : i + 1].astype(np.float64)
        w = w[~np.isnan(w)]
        if len(w) < least:
            out[i] = np.nan
        elif stat in ("min", "max"):
            out[i] = w.min() if stat == "min" else w.max()
        else:
            d = w - w[0]
            out[i] = w[0] + d.mean() if stat == "mean" else d.std()
