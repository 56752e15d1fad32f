# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.int32, np.int64)
DENSE = {"layout": "contiguous", "device": "cpu"}


@kernel(
    sizes={"n": [5, 1], "d": [3, 1], "m": [7, 1, 0]},
    promises=["atomic", "repeatable"],
    refuses=[{"with": {"reduce": "mean"}, "kind": "ValueError", "message": "reduce must be"}],
)
def scatter_reduce_(
    self: InOut[Tensor[T, "n d", DENSE]],
    index: Annotated[Tensor[np.int64, "m d", DENSE], Range(0, "n - 1")],
    src: Tensor[T, "m d", DENSE],
    reduce: Literal["sum", "prod", "amax", "amin"],
    include_self: bool,
) -> None:
    wide = self.astype(np.float64 if self.dtype == np.float32 else np.int64)
    combine = {"sum": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}[reduce]
    seen = np.full(self.shape, include_self)
    with np.errstate(over="ignore"):
        for i, j in np.ndindex(src.shape):
            at = (index[i, j], j)
            value = wide.dtype.type(src[i, j])
            wide[at] = combine(wide[at], value) if seen[at] else value
            seen[at] = True
    self[...] = wide.astype(self.dtype)
