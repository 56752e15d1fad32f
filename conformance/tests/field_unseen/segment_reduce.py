# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(sizes={"s": 3}, where=["offsets[1:] >= offsets[:-1]"])
def segment_reduce(
    values: Tensor[T, "n d"],
    offsets: Annotated[Tensor[np.int64, "s+1"], Range(0, "n")],
    reduction: Literal["sum", "max", "mean"],
) -> Tensor[T, "s d"]:
    if (np.diff(offsets) < 0).any():
        raise ValueError("offsets must not decrease")
    out = np.zeros((len(offsets) - 1, values.shape[1]), values.dtype)
    for s, (begin, end) in enumerate(zip(offsets, offsets[1:])):
        if begin < end:
            out[s] = getattr(values[begin:end], reduction)(axis=0)
    return out
