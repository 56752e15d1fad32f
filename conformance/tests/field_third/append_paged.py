# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn)


@kernel(sizes={"n": 5, "h": 2, "dk": [8, 16], "dv": [4, 16], "p": 6, "s": [4, 3], "b": 3, "c": 2})
def append_paged(
    key: Tensor[T, "n h dk", {"layout": "rows"}],
    value: Tensor[T, "n h dv", {"layout": "rows"}],
    k_cache: InOut[Tensor[T, "p s h dk"]],
    v_cache: InOut[Tensor[T, "p s h dv"]],
    block_table: Annotated[Tensor[np.int32, "b c"], Range(0, "p - 1")],
    batch_indices: Annotated[Tensor[np.int32, "n"], Range(0, "b - 1")],
    positions: Annotated[Tensor[np.int32, "n"], Range(0, "c * s - 1")],
) -> None:
    page = k_cache.shape[1]
    for i, (batch, position) in enumerate(zip(batch_indices, positions)):
        block = block_table[batch, position // page]
        k_cache[block, position % page] = key[i]
        v_cache[block, position % page] = value[i]
