# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)

square = np.array([[0, 0], [1, 0], [0, 2], [3, 3], [5, 5], [5, 6], [9, 5]], np.float64)
at = np.array([0, 4, 7], np.int64)


@kernel(
    sizes={"n": [24, 60], "b": [2, 1, 3], "d": [3, 2]},
    where=[
        "ptr[0] == 0",
        "ptr[-1] == n",
        "ptr[1:] >= ptr[:-1]",
        "ptr[1:] - ptr[:-1] >= k",
        "start is None or start >= 0",
        "start is None or start < ptr[1:] - ptr[:-1]",
    ],
    calls=[
        {
            "arguments": {
                "points": square,
                "ptr": at,
                "k": 2,
                "start": None,
                "dist": {"shape": [2, 2]},
            },
            "expected": {"result": "[[0, 3], [4, 6]]", "dist": "[[0, 18], [0, 16]]"},
        },
        {
            "arguments": {
                "points": square,
                "ptr": at,
                "k": 3,
                "start": np.array([3, 1], np.int64),
                "dist": None,
            },
            "expected": {"result": "[[3, 0, 2], [5, 6, 4]]"},
        },
        {
            "arguments": {
                "points": square,
                "ptr": at,
                "k": 3,
                "start": np.array([0, 3], np.int64),
                "dist": None,
            },
            "refused": {"kind": "ValueError"},
            "text": "start counts within its cloud",
        },
        {
            "arguments": {
                "points": square,
                "ptr": np.array([1, 4, 7], np.int64),
                "k": 2,
                "start": None,
                "dist": None,
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "points": square,
                "ptr": at,
                "k": 4,
                "start": None,
                "dist": None,
            },
            "refused": {"kind": "ValueError"},
            "text": "the second cloud has 3 points",
        },
        {
            "arguments": {
                "points": np.array([[0, 0], [np.nan, 1]], np.float32),
                "ptr": np.array([0, 2], np.int64),
                "k": 1,
                "start": None,
                "dist": None,
            },
            "refused": {"kind": "ValueError", "message": "finite"},
        },
    ],
    promises=["atomic", "repeatable", "fresh"],
    text="of each cloud k points, each the farthest from those before it (the first of equal ones); dist: the squared distance at which it was chosen",
)
def fps(
    points: Tensor[T, "n d"],
    ptr: Annotated[Tensor[np.int64, "b+1"], Range(0, "n")],
    k: Annotated[int, Examples(3, 1, 0), Range(0, "n")],
    start: Optional[Tensor[np.int64, "b"]],
    dist: Optional[Out[Tensor[np.float64, "b k"]]],
) -> Tensor[np.int64, "b k"]:
    if not np.isfinite(points).all():
        raise ValueError("points must be finite")
    p = points.astype(np.float64)
    index = np.zeros((len(ptr) - 1, k), np.int64)
    for i, (a, b) in enumerate(zip(ptr, ptr[1:])):
        if b - a < k:
            raise ValueError("too few points")
        best = np.full(b - a, np.inf)
        now, reached = (0 if start is None else int(start[i])), 0.0
        for j in range(k):
            index[i, j] = a + now
            if dist is not None:
                dist[i, j] = reached
            sums = np.zeros(b - a)
            for c in range(p.shape[1]):
                diff = p[a:b, c] - p[a + now, c]
                sums = sums + diff * diff
            best = np.minimum(best, sums)
            now = int(np.argmax(best))
            reached = best[now]
    return index
