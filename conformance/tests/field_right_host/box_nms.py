# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


@kernel(
    sizes={"n": [6, 0, 1, 30]},
    where=["isfinite(boxes)", "isfinite(scores)"],
    promises=["repeatable", "fresh", "atomic"],
    calls=[
        {
            "arguments": {
                "boxes": np.array(
                    [[0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 10, 9]], np.float32
                ),
                "scores": np.array([0.5, 0.9, 0.1, 0.9], np.float32),
                "threshold": 0.5,
                "most": None,
            },
        },
        {
            "arguments": {
                "boxes": np.array([[0, 0, 2, 2], [0, 0, 2, 2], [5, 5, 4, 6]], np.float32),
                "scores": np.array([1, 1, 1], np.float32),
                "threshold": 1.0,
                "most": 2,
            },
        },
    ],
)
def box_nms(
    boxes: Tensor[np.float32, "n 4"],
    scores: Tensor[np.float32, "n"],
    threshold: Annotated[float, Examples(0.5, 0.25), Range(0, 1)],
    most: Optional[Annotated[int, Examples(3), Range(1)]],
) -> Tensor[np.int64, "_"]:
    b = boxes.astype(np.float64)

    def area(a):
        return max(0.0, a[2] - a[0]) * max(0.0, a[3] - a[1])

    def overlap(a, c):
        w = min(a[2], c[2]) - max(a[0], c[0])
        h = min(a[3], c[3]) - max(a[1], c[1])
        both = max(0.0, w) * max(0.0, h)
        total = area(a) + area(c) - both
        return both / total if total > 0 else 0.0

    kept: list[int] = []
    for i in np.argsort(-scores.astype(np.float64), kind="stable"):
        if most is not None and len(kept) >= most:
            break
        if all(overlap(b[k], b[i]) <= threshold for k in kept):
            kept.append(int(i))
    return np.array(kept, np.int64)
