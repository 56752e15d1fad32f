# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.uint8, np.float32, np.float64)


def axis(n, out, mode, align):
    i = np.arange(out, dtype=np.float64)
    if mode == "nearest":
        k = np.minimum(np.floor((i + 0.5) * n / out), n - 1).astype(np.int64)
        return k, k, np.zeros(out)
    if align:
        at = i * (n - 1) / (out - 1) if out > 1 else np.zeros(out)
    else:
        at = np.maximum((i + 0.5) * n / out - 0.5, 0.0)
    k = np.minimum(np.floor(at), n - 1).astype(np.int64)
    return k, np.minimum(k + 1, n - 1), at - k


@kernel(
    sizes={"n": [2, 1], "h": [5, 1], "w": [4, 7], "c": [3, 1]},
    where=['mode == "bilinear" or not align_corners', "h >= 1", "w >= 1"],
    refuses=[
        {
            "with": {"mode": "nearest", "align_corners": True},
            "kind": "ValueError",
            "message": "align_corners",
        },
        {"with": {"mode": "bicubic"}, "kind": "ValueError"},
    ],
    promises=["repeatable", "fresh"],
)
def resize(
    x: Tensor[T, "n h w c", {"layout": "strided"}],
    out_h: Annotated[int, Range(1, 1024)],
    out_w: Annotated[int, Range(1, 1024)],
    mode: Literal["nearest", "bilinear"],
    align_corners: bool,
) -> Tensor[T, "n out_h out_w c"]:
    y0, y1, wy = axis(x.shape[1], out_h, mode, align_corners)
    x0, x1, wx = axis(x.shape[2], out_w, mode, align_corners)
    if mode == "nearest":
        return x[:, y0][:, :, x0].copy()
    v = x.astype(np.float64)
    wx, wy = wx[None, None, :, None], wy[None, :, None, None]
    top = v[:, y0][:, :, x0] * (1 - wx) + v[:, y0][:, :, x1] * wx
    bottom = v[:, y1][:, :, x0] * (1 - wx) + v[:, y1][:, :, x1] * wx
    out = top * (1 - wy) + bottom * wy
    if x.dtype == np.uint8:
        out = np.floor(out + 0.5)
    return out.astype(x.dtype)
