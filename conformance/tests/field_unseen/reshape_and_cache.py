# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)


@kernel(sizes={"p": 4, "s": 4})
def reshape_and_cache(
    key: Tensor[T, "t h d"],
    value: Tensor[T, "t h d"],
    key_cache: InOut[Tensor[T, "p s h d"]],
    value_cache: InOut[Tensor[T, "p s h d"]],
    slot_mapping: Annotated[Tensor[np.int64, "t"], Range(None, "p*s - 1")],
) -> None:
    for token, slot in enumerate(slot_mapping):
        if slot >= 0:
            key_cache.reshape(-1, *key.shape[1:])[slot] = key[token]
            value_cache.reshape(-1, *value.shape[1:])[slot] = value[token]
