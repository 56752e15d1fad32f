# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")


@kernel(
    sizes={"n": [2, 1, 0], "c": [3, 1], "h": [5, 1], "w": [7, 2], "ho": [4, 1], "wo": [3, 6]},
    where=["h >= 1", "w >= 1"],
    promises=["repeatable", "fresh"],
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2},
    text="samples at (x, y) of grid, where -1 and 1 are the borders of the image; NaN lies outside",
)
def grid_sample(
    x: Tensor[T, "n c h w", {"layout": "strided"}],
    grid: Annotated[Tensor[np.float32, "n ho wo 2"], Range(-1.75, 1.75)],
    mode: Literal["bilinear", "nearest"],
    padding: Literal["zeros", "border"],
    align_corners: bool,
) -> Tensor[T, "n c ho wo"]:
    n, c, h, w = x.shape
    image = x.astype(np.float64)

    def place(v, size):
        v = v.astype(np.float64)
        v = (v + 1) / 2 * (size - 1) if align_corners else ((v + 1) * size - 1) / 2
        return np.clip(v, 0, size - 1) if padding == "border" else v

    xs, ys = place(grid[..., 0], w), place(grid[..., 1], h)

    def at(yy, xx):
        inside = (yy >= 0) & (xx >= 0) & (yy < h) & (xx < w)
        yy, xx = np.clip(yy, 0, h - 1).astype(int), np.clip(xx, 0, w - 1).astype(int)
        b = np.arange(n)[:, None, None]
        return np.where(inside[:, None], np.moveaxis(image[b, :, yy, xx], -1, 1), 0)

    if mode == "nearest":
        return at(np.rint(ys), np.rint(xs)).astype(x.dtype)
    y0, x0 = np.floor(ys), np.floor(xs)
    wy, wx = (ys - y0)[:, None], (xs - x0)[:, None]
    out = (1 - wy) * (1 - wx) * at(y0, x0) + (1 - wy) * wx * at(y0, x0 + 1)
    out = out + wy * (1 - wx) * at(y0 + 1, x0) + wy * wx * at(y0 + 1, x0 + 1)
    return out.astype(x.dtype)
