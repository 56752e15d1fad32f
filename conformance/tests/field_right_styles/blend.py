# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
ANY = {"layout": "strided"}


@kernel(
    sizes={"m": [4, 1], "n": [5, 1]},
    parameters={"t": {"value": 0.25}},
    promises=["repeatable", "fresh"],
    refuses=[{"when": "t > 1", "kind": "ValueError", "message": "from 0 to 1"}],
    text="b has the extents of a, or 1 in their place",
)
def blend(
    a: Tensor[T, "m n", ANY],
    b: Tensor[T, "#m #n", ANY],
    t: Annotated[float, Range(0, 1)],
) -> Tensor[T, "m n"]:
    wide = a.astype(np.float64) * (1 - t) + b.astype(np.float64) * t
    return wide.astype(a.dtype)
