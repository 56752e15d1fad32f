# SPDX-License-Identifier: Apache-2.0
from typing import Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

T = TypeVar("T", np.float32, np.float16)


def reflect(v, least, most):
    if least == most:
        return np.full_like(v, least)
    span = most - least
    v = np.abs(v - least)
    rest = np.fmod(v, span)
    return np.where(np.fmod(np.floor(v / span), 2) == 0, rest + least, span - rest + least)


def place(at, size, padding, align_corners):
    v = (at + 1) / 2 * (size - 1) if align_corners else ((at + 1) * size - 1) / 2
    if padding == "reflection":
        v = reflect(v, 0, size - 1) if align_corners else reflect(v, -0.5, size - 0.5)
    if padding != "zeros":
        v = np.clip(v, 0, size - 1)
    return np.clip(v, -4, size + 4)


@kernel(
    sizes={
        "n": [2, 1, 0],
        "c": [3, 1, 0],
        "h": [5, 1, 17],
        "w": [4, 1, 9],
        "oh": [3, 1, 0, 20],
        "ow": [6, 1, 0, 20],
    },
    where=["h >= 1", "w >= 1", "isfinite(grid)"],
    tolerance={"float32": 1e-5, "float16": 2e-3},
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "x": np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3),
                "grid": np.array(
                    [[[[-1, -1], [1, 1], [0, 0], [-1.5, 0.25], [3e30, -3e30]]]], np.float32
                ),
                "mode": mode,
                "padding": padding,
                "align_corners": corners,
            }
        }
        for mode in ("bilinear", "nearest")
        for padding in ("zeros", "border", "reflection")
        for corners in (True, False)
    ]
    + [
        {
            "arguments": {
                "x": np.arange(6, dtype=np.float32).reshape(1, 1, 2, 3),
                "grid": np.array([[[[0, bad]]]], np.float32),
                "mode": mode,
                "padding": "border",
                "align_corners": False,
            },
            "refused": {"kind": "ValueError"},
        }
        for bad in (np.nan, np.inf)
        for mode in ("bilinear", "nearest")
    ]
    + [
        {
            "arguments": {
                "x": np.zeros((2, 1, 2, 3), np.float32),
                "grid": np.zeros((1, 1, 1, 2), np.float32),
                "mode": "nearest",
                "padding": "zeros",
                "align_corners": False,
            },
            "refused": {"kind": "ValueError"},
        }
    ],
    refuses=[
        {"with": {"mode": "bicubic"}, "kind": "ValueError"},
        {"with": {"padding": "wrap"}, "kind": "ValueError"},
    ],
)
def grid_sample(
    x: Tensor[T, "n c h w"],
    grid: Tensor[np.float32, "n oh ow 2"],
    mode: Literal["bilinear", "nearest"],
    padding: Literal["zeros", "border", "reflection"],
    align_corners: bool,
) -> Tensor[T, "n c oh ow"]:
    if not np.isfinite(grid).all():
        raise ValueError("grid must be finite")
    n, c, h, w = x.shape
    ys = place(grid[..., 1].astype(np.float64), h, padding, align_corners)
    xs = place(grid[..., 0].astype(np.float64), w, padding, align_corners)
    out = np.zeros((n, c, *grid.shape[1:3]))
    if mode == "nearest":
        corners = [(np.rint(ys).astype(np.int64), np.rint(xs).astype(np.int64), np.ones_like(ys))]
    else:
        r, s = np.floor(ys).astype(np.int64), np.floor(xs).astype(np.int64)
        fy, fx = ys - r, xs - s
        corners = [
            (r + i, s + j, (fy if i else 1 - fy) * (fx if j else 1 - fx))
            for i in (0, 1)
            for j in (0, 1)
        ]
    for r, s, weight in corners:
        inside = (r >= 0) & (r < h) & (s >= 0) & (s < w)
        rr, ss = np.clip(r, 0, h - 1), np.clip(s, 0, w - 1)
        for i in range(n):
            out[i] += x[i].astype(np.float64)[:, rr[i], ss[i]] * np.where(inside[i], weight[i], 0)
    return out.astype(x.dtype)
