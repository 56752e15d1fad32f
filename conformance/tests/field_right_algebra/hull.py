# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


def chain(points: list) -> list:
    """The lower half of the hull of points in order."""
    half: list = []
    for p in points:
        while len(half) > 1:
            (x0, y0, _), (x1, y1, _) = half[-2:]
            if (x1 - x0) * (p[1] - y0) - (y1 - y0) * (p[0] - x0) > 0:
                break
            half.pop()
        half.append(p)
    return half


def corners(*points: tuple) -> dict:
    return {"arguments": {"points": np.array(points, np.int32).reshape(-1, 2)}}


@kernel(
    sizes={"n": [9, 0, 1, 2, 3, 200]},
    promises=["fresh", "repeatable"],
    calls=[
        {
            **corners((0, 0), (4, 0), (2, 0), (4, 4), (0, 4), (2, 2), (0, 0), (4, 4)),
            "expected": {"result[0]": "[0, 1, 3, 4]", "result[1]": "32"},
        },
        {
            **corners((3, 3), (1, 1), (2, 2), (1, 1)),
            "expected": {"result[0]": "[1, 0]", "result[1]": "0"},
        },
        {
            **corners((-1000000, -1000000), (1000000, -1000000), (0, 1000000), (1000000, 1000000)),
            "text": "an area of more than 32 bits",
        },
        {**corners((0, 0), (1000001, 0)), "refused": {"kind": "ValueError", "message": "point 1"}},
    ],
)
def convex_hull(
    points: Annotated[Tensor[np.int32, "n 2", {"layout": "strided"}], Range(-1000000, 1000000)],
) -> tuple[Tensor[np.int64, "_"], int]:
    first: dict = {}
    for i, (x, y) in enumerate(points.tolist()):
        first.setdefault((x, y), i)
    all_points = [(x, y, i) for (x, y), i in sorted(first.items())]
    if len(all_points) < 3:
        hull = all_points
    else:
        hull = chain(all_points)[:-1] + chain(all_points[::-1])[:-1]
    area = 0
    for (x0, y0, _), (x1, y1, _) in zip(hull, hull[1:] + hull[:1]):
        area += x0 * y1 - x1 * y0
    return np.array([i for _, _, i in hull], np.int64), area
