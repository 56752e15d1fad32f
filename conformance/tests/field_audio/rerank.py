# SPDX-License-Identifier: Apache-2.0
from collections import Counter
from typing import Annotated, Callable, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    text="The final list of a recommender, with pinned items and a limit for each group.",
    sizes={"n": [9, 1, 40, 0]},
    parameters={"boost": {"does": "0.5 * x0 + 0.25 * x1"}, "pinned": {"length": [0, 2, 3]}},
    where=[
        "not isnan(scores)",
        "min_score is None or not isnan(min_score)",
        "len(pinned) <= k",
        "len(pinned) < 2 or sort(pinned)[1:] > sort(pinned)[:-1]",
    ],
    promises=["repeatable", "fresh", "atomic"],
    calls=[
        {
            "text": "equal scores come by index, and a group has two items at most",
            "arguments": {
                "scores": np.array([1, 5, 5, 5, 3, 5], np.float32),
                "groups": np.array([2, 7, 1, 7, 1, 7], np.int32),
                "k": 5,
                "max_per_group": 2,
                "min_score": 3.0,
                "pinned": [],
                "boost": None,
            },
            "expected": {"result[0]": "[1, 2, 3, 4]", "result[1]": "[5, 5, 5, 3]"},
        },
        {
            "text": "a pinned item is below the limit, comes first and counts in its group",
            "arguments": {
                "scores": np.array([1, 5, 4, 3], np.float64),
                "groups": np.array([7, 7, 7, 2], np.int32),
                "k": 3,
                "max_per_group": 2,
                "min_score": 3.0,
                "pinned": [0],
                "boost": None,
            },
            "expected": {"result[0]": "[0, 1, 3]", "result[1]": "[1, 5, 3]"},
        },
        {
            "arguments": {
                "scores": np.array([1, 5, 4, 3], np.float32),
                "groups": np.array([0, 0, 1, 1], np.int32),
                "k": 3,
                "max_per_group": None,
                "min_score": None,
                "pinned": [],
                "boost": {"does": ["10 - x0 + x1"]},
            },
            "expected": {"result[0]": "[0, 3, 2]", "result[1]": "[9, 8, 7]"},
        },
        {
            "arguments": {
                "scores": np.array([1, 5, 4], np.float32),
                "groups": np.array([0, 0, 1], np.int32),
                "k": 3,
                "max_per_group": None,
                "min_score": None,
                "pinned": [],
                "boost": {"does": ["x0", "nan"]},
            },
            "refused": {"kind": "ValueError", "message": "boost must not"},
        },
        {
            "arguments": {
                "scores": np.array([1, 5, 4], np.float32),
                "groups": np.array([0, 0, 1], np.int32),
                "k": 3,
                "max_per_group": None,
                "min_score": None,
                "pinned": [1, 1],
                "boost": None,
            },
            "refused": {"kind": "ValueError", "message": "pinned must"},
        },
    ],
)
def rerank(
    scores: Tensor[T, "n", {"layout": "contiguous"}],
    groups: Tensor[np.int32, "n", {"layout": "contiguous"}],
    k: Annotated[int, Examples(4, 3), Range(1, 1000)],
    max_per_group: Optional[Annotated[int, Examples(1, 2), Range(1)]],
    min_score: Optional[Annotated[float, Examples(0.0, 1.5)]],
    pinned: list[Annotated[int, Range(0, "n - 1")]],
    boost: Optional[Callable[[float, int], float]],
) -> tuple[Tensor[np.int64, "_"], Tensor[T, "_"]]:
    final = [float(s) for s in scores]
    if boost is not None:
        final = [float(boost(s, int(g))) for s, g in zip(final, groups)]
        if np.isnan(final).any():
            raise ValueError("boost must not return NaN")
    taken = [int(p) for p in pinned]
    used = Counter(int(groups[p]) for p in taken)
    order = sorted(range(len(final)), key=lambda i: (-final[i], i))
    for i in order:
        if len(taken) >= k:
            break
        group = int(groups[i])
        if i in pinned or (min_score is not None and final[i] < min_score):
            continue
        if max_per_group is not None and used[group] >= max_per_group:
            continue
        used[group] += 1
        taken.append(i)
    return np.array(taken, np.int64), np.array([final[i] for i in taken], scores.dtype)
