# SPDX-License-Identifier: Apache-2.0
"""Greedy suppression of boxes that overlap a better one."""

from typing import Annotated, NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


class Options(TypedDict):
    iou: Annotated[float, Examples(0.5, 0.25), Range(0, 1)]
    max_out: NotRequired[Annotated[int, Examples(3, 1), Range(1)]]
    score_floor: NotRequired[Annotated[float, Examples(0.0, 1.5)]]


BOXES = np.array([[0, 0, 4, 4], [0, 0, 4, 2], [1, 1, 5, 5], [8, 8, 9, 9]], np.int32)
SCORES = np.array([1, 2, 3, 2], np.float32)


@kernel(
    sizes={"n": [6, 1, 0, 40]},
    parameters={"options": {"other_keys": "refused"}},
    where=[
        "boxes[:, 2] >= boxes[:, 0]",
        "boxes[:, 3] >= boxes[:, 1]",
        "isfinite(scores)",
        'isfinite(options["iou"])',
        'options["score_floor"] is None or not isnan(options["score_floor"])',
    ],
    refuses=[
        {
            "when": 'options["max_out"] is not None and options["max_out"] < 1',
            "kind": "ValueError",
            "message": "max_out must be 1 or more",
        },
        {"when": 'options["iou"] > 1', "kind": "ValueError", "message": "iou must be from 0 to 1"},
        {"when": "any(boxes > 32767)", "kind": "ValueError", "message": "beyond 16 bits"},
        {"with": {"options": {"iou": "nan"}}, "kind": "ValueError", "message": "from 0 to 1"},
    ],
    promises=["repeatable", "fresh"],
    calls=[
        {"arguments": {"boxes": BOXES, "scores": SCORES, "options": {"iou": 0.25}}},
        {"arguments": {"boxes": BOXES, "scores": SCORES, "options": {"iou": 0.5}}},
        {"arguments": {"boxes": BOXES, "scores": SCORES, "options": {"iou": 0.0, "max_out": 2}}},
        {
            "arguments": {
                "boxes": BOXES,
                "scores": SCORES,
                "options": {"iou": 1, "score_floor": "inf"},
            }
        },
        {
            "arguments": {
                "boxes": BOXES,
                "scores": np.array([1, np.nan, 0, 0], np.float32),
                "options": {"iou": 0.5},
            },
            "refused": {"kind": "ValueError", "message": "score 1 is not finite"},
        },
        {
            "arguments": {
                "boxes": BOXES[:, ::-1].copy(),
                "scores": SCORES,
                "options": {"iou": 0.5},
            },
            "refused": {"kind": "ValueError", "message": "box 0 is inside out"},
        },
        {
            "arguments": {
                "boxes": BOXES,
                "scores": SCORES,
                "options": {"iou": 0.5, "score_floor": "nan"},
            },
            "refused": {"kind": "ValueError", "message": "score_floor is NaN"},
        },
    ],
)
def nms(
    boxes: Annotated[Tensor[np.int32, "n 4", {"layout": "contiguous"}], Range(-32768, 32767)],
    scores: Tensor[np.float32, "n", {"layout": "contiguous"}],
    options: Options,
) -> Tensor[np.int64, "_"]:
    iou, most = options["iou"], options.get("max_out")
    floor = options.get("score_floor")
    kept: list[int] = []
    for i in sorted(range(len(boxes)), key=lambda i: -float(scores[i])):
        if floor is not None and float(scores[i]) < floor:
            continue
        if len(kept) == most:
            break
        a = [int(v) for v in boxes[i]]
        for k in kept:
            b = [int(v) for v in boxes[k]]
            w = min(a[2], b[2]) - max(a[0], b[0])
            h = min(a[3], b[3]) - max(a[1], b[1])
            both = max(w, 0) * max(h, 0)
            either = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both
            if w > 0 and h > 0 and both > iou * either:
                break
        else:
            kept.append(i)
    return np.array(kept, np.int64)
