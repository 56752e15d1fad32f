# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray, neox: bool) -> None:
    half = x.shape[-1] // 2
    if neox:
        left, right = slice(0, half), slice(half, None)
    else:
        left, right = slice(0, None, 2), slice(1, None, 2)
    a, b = x[..., left].astype(np.float32), x[..., right].astype(np.float32)
    cos, sin = cos[:, None, :], sin[:, None, :]
    x[..., left] = a * cos - b * sin
    x[..., right] = b * cos + a * sin


@kernel(sizes={"t": [5, 100], "q": 4, "k": 2, "d": [8, 64], "p": 16}, where=["d % 2 == 0"])
def rotary_embedding(
    positions: Annotated[Tensor[np.int64, "t"], Range(0, "p - 1")],
    query: InOut[Tensor[T, "t q d"]],
    key: Optional[InOut[Tensor[T, "t k d"]]],
    cos_sin_cache: Tensor[np.float32, "p d"],
    is_neox: bool,
) -> None:
    half = query.shape[-1] // 2
    cos, sin = cos_sin_cache[positions, :half], cos_sin_cache[positions, half:]
    rotate(query, cos, sin, is_neox)
    if key is not None:
        rotate(key, cos, sin, is_neox)
