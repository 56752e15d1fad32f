# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


def overlap(a, b):
    ends = [
        (c - s / 2.0, c + s / 2.0, p - q / 2.0, p + q / 2.0)
        for c, s, p, q in zip(a[:2], a[2:], b[:2], b[2:])
    ]
    shared = [min(ah, bh) - max(al, bl) for al, ah, bl, bh in ends]
    if min(shared) <= 0:
        return 0.0
    both = shared[0] * shared[1]
    (al, ah, bl, bh), (at, ab, bt, bb) = ends
    return both / ((ah - al) * (ab - at) + (bh - bl) * (bb - bt) - both)


@kernel(
    sizes={"n": [8, 0, 1, 30]},
    where=["not isnan(scores)"],
    refuses=[
        {"when": "threshold > 1", "kind": "ValueError", "message": "threshold"},
        {
            "with": {
                "boxes": {"elements": [[0, 0, 1, 1], [0, 0, 1, 1]]},
                "scores": {"elements": [1, "nan"]},
            },
            "kind": "ValueError",
            "message": "scores[1] is no number",
        },
    ],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "boxes": np.array(
                    [[2, 2, 4, 4], [2.5, 2, 4, 4], [9, 9, 1, 1], [2, 2, 4, 4]], np.float32
                ),
                "scores": np.array([0.5, 0.75, 0.25, 0.5], np.float32),
                "threshold": 0.5,
                "limit": None,
            },
            "expected": {"result": "[1, 2]"},
        },
        {
            "text": "equal scores keep their order",
            "arguments": {
                "boxes": np.array([[0, 0, 1, 1], [5, 5, 1, 1], [7, 7, 1, 1]], np.float32),
                "scores": np.array([1, 2, 2], np.float32),
                "threshold": 0,
                "limit": 2,
            },
            "expected": {"result": "[1, 2]"},
        },
    ],
)
def nms(
    boxes: Annotated[Tensor[np.float32, "n 4", {"layout": "rows"}], Range(0, 64)],
    scores: Tensor[np.float32, "n", {"layout": "contiguous"}],
    threshold: Annotated[float, Examples(0.5, 0.25), Range(0, 1)],
    limit: Optional[Annotated[int, Examples(3), Range(least=1)]],
) -> Tensor[np.int64, "_"]:
    kept = []
    for i in np.argsort(-scores.astype(np.float64), kind="stable"):
        if limit is not None and len(kept) >= limit:
            break
        box = [float(v) for v in boxes[i]]
        if all(overlap([float(v) for v in boxes[j]], box) <= threshold for j in kept):
            kept.append(int(i))
    return np.array(kept, np.int64)
