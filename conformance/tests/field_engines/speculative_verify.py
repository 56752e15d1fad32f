# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

PLAIN = {"layout": "contiguous", "device": "cpu"}
ROWS = {"layout": "rows", "device": "cpu"}


def draw(weights, uniform):
    reached = np.cumsum(weights)
    above = reached > uniform * reached[-1]
    return int(np.argmax(above)) if above.any() else int(np.flatnonzero(weights)[-1])


@kernel(
    sizes={"b": [3, 1, 0], "s": [3, 1, 0], "v": [8, 1]},
    where=[
        "0 <= uniforms and uniforms < 1",
        "0 <= target_probs and target_probs < inf",
        "sum(target_probs, axis=2) > 0",
        "draft_probs is None or (0 <= draft_probs and draft_probs < inf)",
        "draft_probs is None or sum(draft_probs, axis=2) > 0",
        "arange(s)[None, :] >= (s if num_drafts is None else num_drafts[:, None])"
        " or (0 <= draft_ids and draft_ids < v)",
    ],
    tolerance=0,
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "rejected at once, accepted in part, accepted whole, nothing drafted",
            "arguments": {
                "draft_probs": np.array([[[0.5, 0.25, 0.25, 0], [0.25] * 4]] * 4, np.float32),
                "draft_ids": np.array([[0, 1], [1, 2], [1, 3], [-1, 99]], np.int32),
                "target_probs": np.array(
                    [[[0.125, 0.5, 0.25, 0.125], [0.5, 0, 0, 0.5], [0, 0, 0.5, 0.5]]] * 4,
                    np.float32,
                ),
                "uniforms": np.array(
                    [[0.5, 0, 0.9], [0.5, 0, 0.25], [0.99, 0.99, 0.6], [0, 0, 0.75]], np.float32
                ),
                "num_drafts": np.array([2, 2, 2, 0], np.int32),
                "ids": {"shape": [4, 3]},
                "accepted": {"shape": [4]},
                "totals": np.array([10, 20], np.int64),
            },
            "expected": {
                "ids": "array([[3, -1, -1], [1, 0, -1], [1, 3, 3], [2, -1, -1]])",
                "accepted": "array([0, 1, 2, 0])",
                "totals": "array([13, 26])",
            },
        },
        {
            "text": "certain drafts: a rejected token is not drawn again",
            "arguments": {
                "draft_probs": None,
                "draft_ids": np.array([[2], [2]], np.int32),
                "target_probs": np.array([[[0.25, 0.25, 0.5], [1, 0, 0]]] * 2, np.float32),
                "uniforms": np.array([[0.75, 0.75], [0.25, 0.75]], np.float32),
                "num_drafts": None,
                "ids": {"shape": [2, 2]},
                "accepted": {"shape": [2]},
                "totals": None,
            },
            "expected": {"ids": "array([[1, -1], [2, 0]])", "accepted": "array([0, 1])"},
        },
    ],
)
def speculative_verify(
    draft_probs: Optional[Tensor[np.float32, "b s v", ROWS]],
    draft_ids: Tensor[np.int32, "b s", PLAIN],
    target_probs: Tensor[np.float32, "b s+1 v", ROWS],
    uniforms: Tensor[np.float32, "b s+1", PLAIN],
    num_drafts: Optional[Annotated[Tensor[np.int32, "b", PLAIN], Range(0, "s")]],
    ids: Out[Tensor[np.int32, "b s+1", PLAIN]],
    accepted: Out[Tensor[np.int32, "b", PLAIN]],
    totals: Optional[InOut[Tensor[np.int64, "2", PLAIN]]],
) -> None:
    p = target_probs.astype(np.float64)
    q = None if draft_probs is None else draft_probs.astype(np.float64)
    u = uniforms.astype(np.float64)
    ids[...] = -1
    drafted = 0
    for b in range(len(ids)):
        n = draft_ids.shape[1] if num_drafts is None else int(num_drafts[b])
        drafted += n
        count = 0
        while count < n:
            i = draft_ids[b, count]
            draft = 1.0 if q is None else q[b, count, i]
            if not u[b, count] * draft < p[b, count, i]:
                break
            ids[b, count] = i
            count += 1
        rest = p[b, count].copy()
        if count < n:
            if q is None:
                rest[draft_ids[b, count]] = 0
            else:
                rest = np.maximum(rest - q[b, count], 0)
            if not rest.sum() > 0:
                rest = p[b, count]
        ids[b, count] = draw(rest, u[b, -1])
        accepted[b] = count
    if totals is not None:
        totals[...] += [accepted.sum(), drafted]
