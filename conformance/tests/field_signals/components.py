# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

RNG = np.random.default_rng(7)
V = TypeVar("V", np.uint8, np.int32)


@kernel(
    sizes={"b": [3, 1, 0, 8], "h": [5, 1, 40], "w": [6, 1, 33]},
    parameters={"image": {"layout": "contiguous"}, "mask": {"layout": "contiguous"}},
    promises=["repeatable", "fresh"],
    refuses=[
        {"with": {"connectivity": 6}, "kind": "ValueError"},
        {"with": {"min_area": -1}, "kind": "ValueError"},
    ],
    calls=[
        {
            "arguments": {
                "image": np.array(
                    [
                        [[256, 256, 0], [-1, 0, 256]],
                        [[0, 0, 0], [0, 0, 0]],
                        [[2, 3, 3], [2, 3, 258]],
                    ],
                    np.int32,
                ),
                "mask": None,
                "connectivity": 4,
                "min_area": 0,
            },
        },
        {
            "arguments": {
                "image": np.array([[[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 1]]], np.uint8),
                "mask": np.array([[1, 1, 1, 1], [1, 200, 1, 1], [1, 1, 1, 0]], np.uint8),
                "connectivity": 8,
                "min_area": 1,
            },
        },
        {
            "arguments": {
                "image": RNG.integers(0, 3, (4, 20, 23)).astype(np.uint8),
                "mask": RNG.integers(0, 4, (20, 23)).astype(np.uint8),
                "connectivity": 8,
                "min_area": 3,
            },
        },
        {
            "arguments": {
                "image": RNG.integers(0, 3, (2, 90, 80)).astype(np.int32),
                "mask": None,
                "connectivity": 4,
                "min_area": 4,
            },
        },
    ],
    text="Connected components of a batch of label maps, numbered by a raster scan, and their boxes (y0 x0 y1 x1)",
)
def label_components(
    image: Tensor[V, "b h w"],
    mask: Optional[Tensor[np.uint8, "h w"]],
    connectivity: Literal[4, 8],
    min_area: Annotated[int, Examples(2, 5), Range(0)],
) -> tuple[Tensor[np.int32, "b h w"], list[Tensor[np.int32, "_ 4"]]]:
    b, h, w = image.shape
    labels = np.zeros((b, h, w), np.int32)
    boxes = []
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if connectivity == 8:
        steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    for i in range(b):
        values = image[i].astype(np.int64)
        if mask is not None:
            values = np.where(mask != 0, values, 0)
        seen = np.zeros((h, w), bool)
        found = []
        for y in range(h):
            for x in range(w):
                if seen[y, x] or values[y, x] == 0:
                    continue
                seen[y, x] = True
                part, todo = [], [(y, x)]
                while todo:
                    at = todo.pop()
                    part.append(at)
                    for dy, dx in steps:
                        v, u = at[0] + dy, at[1] + dx
                        if (
                            0 <= v < h
                            and 0 <= u < w
                            and not seen[v, u]
                            and values[v, u] == values[y, x]
                        ):
                            seen[v, u] = True
                            todo.append((v, u))
                if len(part) < min_area:
                    continue
                ys, xs = [p[0] for p in part], [p[1] for p in part]
                found.append([min(ys), min(xs), max(ys) + 1, max(xs) + 1])
                for v, u in part:
                    labels[i, v, u] = len(found)
        boxes.append(np.array(found, np.int32).reshape(-1, 4))
    return labels, boxes
