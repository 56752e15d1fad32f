# SPDX-License-Identifier: Apache-2.0
"""What max_pool2d.cc computes: maxima of windows, and where they are in their plane."""

from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, np.int8)
MOST = 2**31 - 1
Size = Annotated[int, Examples(1, 2, 3), Range(1, MOST)]
Pad = Annotated[int, Examples(0, 1), Range(0, MOST)]


def output(size, kernel_size, stride, padding, dilation, ceil_mode):
    free = size + 2 * padding - dilation * (kernel_size - 1) - 1
    if not ceil_mode:
        return free // stride + 1
    count = -(-free // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def window(size, o, kernel_size, stride, padding, dilation):
    start = o * stride - padding
    end = min(size, start + dilation * (kernel_size - 1) + 1)
    if start < 0:
        start += -(start // dilation) * dilation
    return range(start, end, dilation)


@kernel(
    sizes={"n": [2, 1, 0], "c": [3, 1], "h": [7, 4, 1], "w": [5, 9, 1]},
    where=[
        "h >= 1",
        "w >= 1",
        "2 * padding[0] <= kernel_size[0]",
        "2 * padding[1] <= kernel_size[1]",
        "dilation[0] * (kernel_size[0] - 1) + 1 <= h + 2 * padding[0]",
        "dilation[1] * (kernel_size[1] - 1) + 1 <= w + 2 * padding[1]",
    ],
    refuses=[
        {"when": "2 * padding[0] > kernel_size[0]", "kind": "ValueError", "message": "padding"},
        {"when": "2 * padding[1] > kernel_size[1]", "kind": "ValueError", "message": "padding"},
        {"with": {"h": 0}, "kind": "ValueError", "message": "x must have rows"},
    ],
    parameters={"x": {"device": "cpu"}},
    calls=[
        {
            "arguments": {
                "x": np.array([[[[-1, -2, -3], [-4, np.nan, -6], [-7, -8, -9]]]], np.float32),
                "kernel_size": (2, 2),
                "stride": None,
                "padding": (0, 0),
                "dilation": (1, 1),
                "ceil_mode": True,
            },
            "expected": {
                "result[0]": "reshape([nan, -3, -7, -9], (1, 1, 2, 2))",
                "result[1]": "reshape([4, 2, 6, 8], (1, 1, 2, 2))",
            },
        },
        {
            "arguments": {
                "x": np.arange(-12, 13, dtype=np.int8).reshape(1, 1, 5, 5),
                "kernel_size": (3, 2),
                "stride": (2, 3),
                "padding": (1, 1),
                "dilation": (1, 2),
                "ceil_mode": False,
            },
        },
        {
            "arguments": {
                "x": np.ones((1, 1, 4, 4), np.float32),
                "kernel_size": (2, 2),
                "stride": (2, 3),
                "padding": (1, 1),
                "dilation": (1, 1),
                "ceil_mode": True,
            },
        },
        {
            "arguments": {
                "x": np.ones((1, 1, 4, 4), np.float32),
                "kernel_size": (2, 2),
                "stride": (0, 1),
                "padding": (0, 0),
                "dilation": (1, 1),
                "ceil_mode": False,
            },
            "refused": {"kind": "ValueError", "message": "stride"},
        },
    ],
    tolerance=0,
    promises=["repeatable", "fresh"],
    text="As torch's max_pool2d: the first maximum of a window counts, and NaN is the largest. A window "
    "that dilation leads past all of x gives the least number of the type, and -1.",
)
def max_pool2d(
    x: Tensor[T, "n c h w", {"layout": "strided"}],
    kernel_size: tuple[Size, Size],
    stride: Optional[tuple[Size, Size]],
    padding: tuple[Pad, Pad],
    dilation: tuple[Size, Size],
    ceil_mode: bool,
) -> tuple[Tensor[T, "n c _ _"], Tensor[np.int64, "n c _ _"]]:
    step = kernel_size if stride is None else stride
    n, c, h, w = x.shape
    rows = output(h, kernel_size[0], step[0], padding[0], dilation[0], ceil_mode)
    columns = output(w, kernel_size[1], step[1], padding[1], dilation[1], ceil_mode)
    least = -128 if x.dtype == np.int8 else -np.inf
    best = np.full((n, c, rows, columns), least, x.dtype)
    places = np.full((n, c, rows, columns), -1, np.int64)
    for oh in range(rows):
        down = list(window(h, oh, kernel_size[0], step[0], padding[0], dilation[0]))
        for ow in range(columns):
            across = list(window(w, ow, kernel_size[1], step[1], padding[1], dilation[1]))
            if not down or not across or n * c == 0:
                continue
            part = x[:, :, down][:, :, :, across].reshape(n, c, -1)
            at = part.argmax(axis=2)
            best[:, :, oh, ow] = np.take_along_axis(part, at[..., None], axis=2)[..., 0]
            ih, iw = np.array(down)[at // len(across)], np.array(across)[at % len(across)]
            places[:, :, oh, ow] = ih * w + iw
    return best, places
