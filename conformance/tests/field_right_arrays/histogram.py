# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

INDEX = (np.int32, np.uint8, np.int64)


@kernel(
    sizes={"n": [20, 0, 1], "bins": [5, 1, 200]},
    where=["weights is None or mass is not None"],
    refuses=[
        {
            "when": "weights is not None and mass is None",
            "kind": "ValueError",
            "message": "without mass",
        },
        {
            "with": {
                "x": {"dtype": "int32", "elements": [0, 5]},
                "bins": 5,
                "weights": None,
                "mass": None,
            },
            "kind": "ValueError",
            "message": "5 is in none of 5",
        },
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([2, 0, 2], np.uint8),
                "weights": np.array([0.5, 1, np.inf], np.float64),
                "counts": np.array([10, 20, 30], np.int64),
                "mass": {"shape": [3]},
            },
            "expected": {"counts": "[11, 20, 32]", "mass": "[1, 0, inf]", "result": "3"},
        }
    ],
)
def histogram(
    x: Annotated[Tensor[INDEX, "n", {"layout": "strided"}], Range(0, "bins - 1")],
    weights: Optional[Tensor[np.float64, "n", {"layout": "strided"}]],
    counts: InOut[Tensor[np.int64, "bins", {"layout": "contiguous"}]],
    mass: Optional[Out[Tensor[np.float64, "bins", {"layout": "contiguous"}]]],
) -> int:
    np.add.at(counts, x, 1)
    if mass is not None:
        mass[...] = 0
        np.add.at(mass, x, 1.0 if weights is None else weights)
    return len(x)
