# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)


@kernel(
    sizes={"n": [6, 9], "c": 12, "r": [4, 8], "p": 3, "o": [8, 5], "s": 3},
    where=["offset + o <= c", "sum(lengths) == n"],
)
def sgmv_expand(
    y: InOut[Tensor[T, "n c"]],
    x: Tensor[np.float32, "n r"],
    w: Tensor[T, "p o r"],
    lengths: Annotated[Tensor[np.int64, "s"], Range(0, "n")],
    adapters: Annotated[Tensor[np.int32, "s"], Range(-1, "p - 1")],
    offset: Annotated[int, Range(0, None)],
) -> None:
    row = 0
    width = w.shape[1]
    for length, adapter in zip(lengths, adapters):
        if adapter >= 0:
            add = x[row : row + length] @ w[adapter].astype(np.float32).T
            part = y[row : row + length, offset : offset + width].astype(np.float32)
            y[row : row + length, offset : offset + width] = part + add
        row += length
