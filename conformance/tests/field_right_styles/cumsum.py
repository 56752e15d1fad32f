# SPDX-License-Identifier: Apache-2.0
from typing import Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

T = TypeVar("T", np.float64, np.int64)


@kernel(
    sizes={"m": [4, 1, 0], "n": [6, 1]},
    promises=["repeatable", "fresh"],
    refuses=[
        {"with": {"axis": 2}, "kind": "IndexError", "message": "no axis 2"},
        {"with": {"axis": -3}, "kind": "IndexError"},
    ],
)
def cumsum(x: Tensor[T, "m n"], axis: Literal[0, 1, -1, -2], reverse: bool) -> Tensor[T, "m n"]:
    if reverse:
        return np.flip(np.cumsum(np.flip(x, axis), axis=axis), axis).astype(x.dtype)
    return np.cumsum(x, axis=axis).astype(x.dtype)
