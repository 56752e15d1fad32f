# SPDX-License-Identifier: Apache-2.0
from typing import Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel


@kernel(sizes={"t": [9, 100], "w": [4, 1]})
def causal_conv1d(
    x: Tensor[np.float32, "b c t"],
    weight: Tensor[np.float32, "c w"],
    bias: Optional[Tensor[np.float32, "c"]],
    activation: Optional[Literal["silu", "swish"]],
    out: Out[Tensor[np.float32, "b c t"]],
) -> None:
    width = weight.shape[1]
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (width - 1, 0)))
    y = sum(padded[:, :, k : k + x.shape[2]] * weight[:, k, None] for k in range(width))
    if bias is not None:
        y = y + bias[:, None]
    out[...] = y / (1 + np.exp(-y)) if activation else y
