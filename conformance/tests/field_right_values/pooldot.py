# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel


@kernel(sizes={"n": [5, 0, 1, 3000]}, promises=["repeatable"], tolerance=1e-6)
def dot(
    x: Tensor[np.float32, "n", {"layout": "strided"}],
    y: Tensor[np.float32, "n", {"layout": "strided"}],
) -> float:
    return float(np.dot(x.astype(np.float64), y.astype(np.float64)))


@kernel(
    sizes={"n": [6, 0, 1000]},
    promises=["atomic", "repeatable"],
    refuses=[
        {"when": "bins > 64", "kind": "ValueError", "message": "bins must"},
        {
            "with": {"ids": {"elements": [0, -1]}},
            "kind": "IndexError",
            "message": "-1 is not a bin",
        },
    ],
    parameters={"bins": {"value": 4}},
)
def histogram(
    ids: Annotated[Tensor[np.int32, "n"], Range(0, "bins - 1")],
    bins: Annotated[int, Range(1, 64)],
    counts: InOut[Tensor[np.int64, "bins"]],
    mass: Optional[Out[Tensor[np.float64, "bins"]]],
) -> None:
    found = np.bincount(ids, minlength=bins)
    counts += found
    if mass is not None:
        mass[...] = found / len(ids) if len(ids) else 0
