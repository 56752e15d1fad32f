# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

DENSE = {"layout": "contiguous", "device": "cpu"}
Stride = Annotated[int, Examples(1, 2), Range(1, 16)]
Gap = Annotated[int, Examples(1, 2), Range(1, 8)]
Pad = Annotated[int, Examples(0, 1), Range(0, 16)]


def pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


@kernel(
    sizes={"n": [2, 0], "co": [4], "ci": [2, 1], "h": [7, 1], "w": [5], "kh": [3, 1], "kw": [2, 1]},
    where=["co % groups == 0"],
    promises=["fresh", "atomic", "repeatable"],
)
def conv2d(
    x: Tensor[np.float32, "n groups*ci h w", DENSE],
    weight: Tensor[np.float32, "co ci kh kw", DENSE],
    bias: Optional[Tensor[np.float32, "co", DENSE]],
    stride: Union[Stride, tuple[Stride, Stride]],
    padding: Union[Pad, tuple[Pad, Pad], Literal["same", "valid"]],
    dilation: Union[Gap, tuple[Gap, Gap]],
    groups: Annotated[int, Examples(1, 2, 4), Range(1, 64)],
) -> Tensor[np.float32, "n co _ _"]:
    (sh, sw), (dh, dw) = pair(stride), pair(dilation)
    co, ci, kh, kw = weight.shape
    tall, wide = dh * (kh - 1), dw * (kw - 1)
    if padding == "same":
        if (sh, sw) != (1, 1):
            raise ValueError('padding "same" needs a stride of 1')
        rows, cols = (tall // 2, tall - tall // 2), (wide // 2, wide - wide // 2)
    else:
        ph, pw = (0, 0) if padding == "valid" else pair(padding)
        rows, cols = (ph, ph), (pw, pw)
    full = np.pad(x.astype(np.float64), ((0, 0), (0, 0), rows, cols))
    oh, ow = full.shape[2] - tall - 1, full.shape[3] - wide - 1
    if oh < 0 or ow < 0:
        raise ValueError("the kernel is larger than the input")
    oh, ow = oh // sh + 1, ow // sw + 1
    out = np.zeros((len(x), co, oh, ow))
    each = co // groups
    for g in range(groups):
        part = full[:, g * ci : (g + 1) * ci]
        filters = weight[g * each : (g + 1) * each].astype(np.float64)
        for u in range(kh):
            for v in range(kw):
                a, b = u * dh, v * dw
                seen = part[:, :, a : a + (oh - 1) * sh + 1 : sh, b : b + (ow - 1) * sw + 1 : sw]
                out[:, g * each : (g + 1) * each] += np.einsum(
                    "nchw,oc->nohw", seen, filters[:, :, u, v]
                )
    if bias is not None:
        out += bias[None, :, None, None].astype(np.float64)
    return out.astype(np.float32)
