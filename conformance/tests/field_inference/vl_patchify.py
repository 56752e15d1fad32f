# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.uint8, np.float32)


class Options(TypedDict):
    patch: Annotated[int, Examples(1, 2), Range(1, 256)]
    merge: Annotated[int, Examples(1, 2), Range(1, 16)]
    rescale: NotRequired[Annotated[float, Examples(0.5)]]


rng = np.random.default_rng(5)
A8 = rng.integers(0, 256, (3, 8, 4), dtype=np.uint8)
B8 = rng.integers(0, 256, (3, 4, 12), dtype=np.uint8)
A32 = rng.standard_normal((3, 8, 8)).astype(np.float32)
B32 = rng.standard_normal((3, 4, 8)).astype(np.float32)
BIG = rng.integers(0, 256, (3, 112, 56), dtype=np.uint8)
CLIP = {"mean": [0.48, 0.457, 0.408], "std": [0.268, 0.261, 0.275]}


def call(images, options, **more):
    return {"arguments": {"images": images, **CLIP, "options": options, **more}}


def refused(images, options, kind="ValueError", **more):
    return {**call(images, options, **more), "refused": {"kind": kind}}


@kernel(
    parameters={
        "options": {"other_keys": "refused"},
        "mean": {"length": 3},
        "std": {"length": 3},
        "images": {"length": [2, 1, 0, 3]},
    },
    where=['options["rescale"] is None or abs(options["rescale"]) < inf'],
    tolerance=1e-5,
    promises=["repeatable", "fresh"],
    calls=[
        call([A8, B8], {"patch": 2, "merge": 2}),
        call([A32, B32, A32], {"patch": 2, "merge": 2}),
        call([A32], {"patch": 2, "merge": 1, "rescale": 0.5}),
        call([A8], {"patch": 1, "merge": 2, "rescale": 1.0}),
        call([], {"patch": 14, "merge": 2}),
        call([BIG], {"patch": 14, "merge": 2}),
        refused([A8, B8[:, :3]], {"patch": 2, "merge": 2}),
        refused([A8, B8[:, :, :10]], {"patch": 2, "merge": 2}),
        refused([A8], {"patch": 0, "merge": 2}),
        refused([A8], {"patch": 2, "merge": 0}),
        refused([A8], {"patch": 4294967296, "merge": 4294967296}),
        refused([A8], {"patch": 2, "merge": 2}, std=[0.1, 0.0, 0.1]),
        refused([A8], {"patch": 2, "merge": 2}, std=[0.1, 0.1, -1.0]),
        refused([A8], {"patch": 2}, "KeyError"),
    ],
)
def patchify(
    images: list[Tensor[T, "3 _ _", {"layout": "strided"}]],
    mean: list[float],
    std: list[Annotated[float, Examples(0.25, 2.0)]],
    options: Options,
) -> tuple[Tensor[np.float32, "_ _"], Tensor[np.int64, "_ 3"]]:
    p, g = options["patch"], options["merge"]
    if not (1 <= p <= 256 and 1 <= g <= 16):
        raise ValueError("patch or merge is out of range")
    if not np.isfinite(std).all() or min(std) <= 0:
        raise ValueError("std has to be positive")
    rows, grid = [np.zeros((0, 3 * p * p), np.float32)], []
    for image in images:
        _, h, w = image.shape
        if h % (p * g) or w % (p * g):
            raise ValueError("image is no multiple of patch * merge")
        rescale = options.get("rescale")
        if rescale is None:
            rescale = 1 / 255 if image.dtype == np.uint8 else 1.0
        x = (image.astype(np.float64) * rescale - np.array(mean)[:, None, None]) / np.array(std)[
            :, None, None
        ]
        x = x.reshape(3, h // (p * g), g, p, w // (p * g), g, p)
        x = x.transpose(1, 4, 2, 5, 0, 3, 6).reshape((h // p) * (w // p), 3 * p * p)
        rows.append(x.astype(np.float32))
        grid.append((1, h // p, w // p))
    return np.concatenate(rows), np.array(grid, np.int64).reshape(-1, 3)
