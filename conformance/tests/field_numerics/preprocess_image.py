# SPDX-License-Identifier: Apache-2.0
"""From pixels to the input of a network: crop, resize, normalize, to planes."""

from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Shape, Tensor, kernel


def pixels(*shape, dtype=np.uint8):
    return (np.arange(np.prod(shape)).reshape(shape) * 37 % 251).astype(dtype)


def call(
    text,
    image,
    size,
    crop=None,
    mode="bilinear",
    swap_rb=False,
    scale=1 / 255,
    mean=(0.5, 0.25, 0.125),
    std=(0.5, 0.25, 2),
    out=True,
    refused=None,
):
    shape = [image.shape[0], image.shape[3], *size]
    c = {
        "arguments": {
            "image": image,
            "size": list(size),
            "crop": None if crop is None else list(crop),
            "mode": mode,
            "swap_rb": swap_rb,
            "scale": scale,
            "mean": list(mean),
            "std": list(std),
            "out": {"shape": shape} if out else None,
        },
        "text": text,
    }
    if refused:
        c["refused"] = {"kind": "ValueError", "message": refused}
    return c


@kernel(
    sizes={
        "b": [2, 1, 0],
        "h": [5, 1, 12],
        "v": [7, 1, 9],
        "c": [3, 1, 4],
        "oh": [4, 9, 1],
        "ov": [6, 3, 1],
    },
    parameters={"mean": {"length": "c"}, "std": {"length": "c"}},
    where=[
        "1 <= oh <= 16384",
        "1 <= ov <= 16384",
        "1 <= c <= 4",
        "1 <= h <= 16777216",
        "1 <= v <= 16777216",
        "crop is None or crop[0] + crop[2] <= h",
        "crop is None or crop[1] + crop[3] <= v",
        "not swap_rb or c == 3",
        "isfinite(scale)",
        "isfinite(mean)",
        "std > 0",
        "isfinite(std)",
    ],
    refuses=[
        {"with": {"mode": "bicubic"}, "kind": "ValueError", "message": "mode must be"},
        {"with": {"size": [0, 4]}, "kind": "ValueError", "message": "size must be"},
        {
            "when": "crop is not None and crop[0] + crop[2] > h",
            "kind": "ValueError",
            "message": "crop must lie in",
        },
        {
            "when": "crop is not None and crop[1] + crop[3] > v",
            "kind": "ValueError",
            "message": "crop must lie in",
        },
        {"when": "swap_rb and c != 3", "kind": "ValueError", "message": "swap_rb is for"},
    ],
    calls=[
        call("larger", pixels(1, 3, 4, 3), (7, 9)),
        call("smaller", pixels(2, 9, 8, 3), (4, 3), out=False),
        call("of the same size", pixels(1, 4, 5, 3), (4, 5), swap_rb=True),
        call("from a larger one to this size", pixels(1, 16, 15, 3), (4, 5), swap_rb=True),
        call("nearest", pixels(1, 5, 7, 3), (8, 3), mode="nearest", swap_rb=True),
        call("a part", pixels(1, 8, 9, 3), (5, 5), crop=(2, 4, 6, 5)),
        call("one pixel", pixels(1, 8, 9, 3), (2, 2), crop=(7, 8, 1, 1), mode="nearest"),
        call("floats", pixels(1, 3, 3, 3, dtype=np.float32) - 100, (5, 4), scale=1.0),
        call("one channel", pixels(2, 3, 4, 1), (5, 4), mean=[0.5], std=[0.25]),
        call(
            "a part beyond the last column",
            pixels(1, 8, 9, 3),
            (5, 5),
            crop=(0, 5, 8, 5),
            refused="crop must lie in",
        ),
        call(
            "a part beyond the last row",
            pixels(1, 8, 9, 3),
            (5, 5),
            crop=(3, 0, 6, 5),
            refused="crop must lie in",
        ),
        call(
            "a part without pixels",
            pixels(1, 8, 9, 3),
            (5, 5),
            crop=(3, 0, 0, 5),
            refused="crop must lie in",
        ),
        call(
            "a part far off",
            pixels(1, 8, 9, 3),
            (5, 5),
            crop=(1, 0, 2**63 - 1, 5),
            refused="crop must lie in",
        ),
        call("std of 0", pixels(1, 3, 3, 3), (2, 2), std=[1, 0, 1], refused="std must be"),
        call("a short mean", pixels(1, 3, 3, 3), (2, 2), mean=[1, 1], refused="mean must have"),
        call(
            "no channel to swap",
            pixels(1, 3, 3, 1),
            (2, 2),
            mean=[1],
            std=[1],
            swap_rb=True,
            refused="swap_rb is for",
        ),
    ],
    tolerance={"float32": 1e-5},
    promises=["atomic", "repeatable"],
)
def preprocess_image(
    image: Tensor[(np.uint8, np.float32), "b h v c", {"layout": "strided"}],
    size: Shape["oh ov"],
    crop: Optional[
        tuple[
            Annotated[int, Range(0, "h - 1")],
            Annotated[int, Range(0, "v - 1")],
            Annotated[int, Range(1, "h")],
            Annotated[int, Range(1, "v")],
        ]
    ],
    mode: Literal["bilinear", "nearest"],
    swap_rb: bool,
    scale: Annotated[float, Examples(1 / 255, 1.0)],
    mean: list[float],
    std: list[float],
    out: Optional[Out[Tensor[np.float32, "b c oh ov", {"layout": "contiguous"}]]],
) -> Tensor[np.float32, "b c oh ov", {"alias": "out"}]:
    if swap_rb and image.shape[3] != 3:
        raise ValueError("swap_rb")
    top, left, height, width = crop or (0, 0, *image.shape[1:3])
    x = image[:, top : top + height, left : left + width].astype(np.float64)
    for axis, n in ((1, size[0]), (2, size[1])):
        full = x.shape[axis]
        if mode == "nearest":
            x = x.take((2 * np.arange(n) + 1) * full // (2 * n), axis=axis)
        else:
            at = np.maximum((np.arange(n) + 0.5) * (full / n) - 0.5, 0)
            first = np.minimum(at.astype(np.int64), full - 1)
            second = np.minimum(first + 1, full - 1)
            part = (at - first).reshape([-1 if a == axis else 1 for a in range(4)])
            x = np.where(
                part == 0,
                x.take(first, axis=axis),
                x.take(first, axis=axis) * (1 - part) + x.take(second, axis=axis) * part,
            )
    if swap_rb:
        x = x[..., ::-1]
    y = ((x * scale - np.array(mean)) / np.array(std)).transpose(0, 3, 1, 2).astype(np.float32)
    if out is not None:
        out[...] = y
        return out
    return y
