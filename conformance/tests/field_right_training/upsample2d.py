# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Shape, Tensor, kernel


def axis(count, out, mode, corners):
    i = np.arange(out)
    if mode == "nearest":
        at = (i * count // out).astype(np.float64)
    elif corners:
        at = i * (count - 1) / max(out - 1, 1)
    else:
        at = np.maximum((2 * i + 1) * count / (2 * out) - 0.5, 0)
    low = np.minimum(at.astype(np.int64), count - 1)
    return low, np.minimum(low + 1, count - 1), at - low


@kernel(
    sizes={"n": [2, 1, 0], "c": [3, 1], "h": [4, 1], "w": [6, 1]},
    parameters={"size": {"value": [7, 3]}},
    promises=["fresh", "atomic", "repeatable"],
    refuses=[{"with": {"mode": "bicubic"}, "kind": "ValueError", "message": "mode bicubic"}],
)
def upsample2d(
    x: Tensor[np.float32, "n c h w", {"layout": "contiguous", "device": "cpu"}],
    size: Optional[Annotated[Shape, Range(1, 256)]],
    scale: Optional[Annotated[float, Examples(2.0, 0.5, 1.5), Range(0.25, 4)]],
    mode: Literal["nearest", "bilinear"],
    align_corners: bool,
) -> Tensor[np.float32, "n c _ _"]:
    if align_corners and mode != "bilinear":
        raise ValueError("align_corners is for bilinear")
    if (size is None) == (scale is None):
        raise ValueError("one of size and scale")
    if size is not None and len(size) != 2:
        raise ValueError("size is a pair")
    h, w = x.shape[2:]
    oh, ow = size if size is not None else (int(np.floor(h * scale)), int(np.floor(w * scale)))
    if not (1 <= oh <= 256 and 1 <= ow <= 256):
        raise ValueError("extents of the output")
    (a, b, s), (l, r, t) = axis(h, oh, mode, align_corners), axis(w, ow, mode, align_corners)
    wide = x.astype(np.float64)
    if mode == "nearest":
        return x[:, :, a][:, :, :, l]
    lines = wide[..., l] * (1 - t) + wide[..., r] * t
    return (lines[:, :, a] * (1 - s)[:, None] + lines[:, :, b] * s[:, None]).astype(np.float32)
