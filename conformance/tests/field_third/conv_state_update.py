# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)


@kernel(sizes={"b": 3, "d": [6, 8], "w": [4, 2], "n": 3}, where=["n == b or slots is not None"])
def conv_state_update(
    x: Tensor[T, "b d"],
    state: InOut[Tensor[T, "n d w-1", {"layout": "strided"}]],
    weight: Tensor[T, "d w"],
    bias: Optional[Tensor[T, "d"]],
    slots: Optional[Annotated[Tensor[np.int32, "b"], Range(-1, "n - 1")]],
    silu: bool,
) -> Tensor[T, "b d"]:
    out = np.zeros(x.shape, np.float32)
    for b in range(len(x)):
        slot = b if slots is None else slots[b]
        if slot < 0:
            continue
        window = np.concatenate([state[slot], x[b][:, None]], axis=1)
        out[b] = (window.astype(np.float32) * weight.astype(np.float32)).sum(axis=1)
        if bias is not None:
            out[b] += bias.astype(np.float32)
        state[slot] = window[:, 1:]
    if silu:
        out = out / (1 + np.exp(-out))
    return out.astype(x.dtype)
