# SPDX-License-Identifier: Apache-2.0
"""Verification of draft tokens."""

from typing import Optional, TypedDict

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel


class Verified(TypedDict):
    accepted: Tensor[np.int32, "b"]
    tokens: Tensor[np.int32, "b s+1"]


@kernel(
    sizes={"b": [3, 1, 17], "s": [4, 1], "v": [8, 3]},
    where=[
        "v >= 1",
        "draft_probs >= 0",
        "draft_probs <= 1",
        "target_probs >= 0",
        "target_probs <= 1",
        "uniform >= 0",
        "uniform <= 1",
    ],
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "draft_ids": {"elements": [[1, 0]]},
                "draft_probs": {"elements": [[[0.5, 0.5], [0.5, 0.5]]]},
                "target_probs": {"elements": [[[0.75, 0.25], [0.5, 0.5], [0.5, 0.5]]]},
                "uniform": {"elements": [[0.75, 0.5, 0.25]]},
                "lengths": None,
            },
            "expected": {"result.accepted": "array([0])", "result.tokens": "array([[0, -1, -1]])"},
        },
        {
            "arguments": {
                "draft_ids": {"elements": [[1, 0]]},
                "draft_probs": {"elements": [[[0.5, 0.5], [0.5, 0.5]]]},
                "target_probs": {"elements": [[[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]]},
                "uniform": {"elements": [[0.25, 0.25, 0.75]]},
                "lengths": {"elements": [1]},
            },
            "expected": {"result.accepted": "array([1])", "result.tokens": "array([[1, 1, -1]])"},
        },
        {
            "arguments": {
                "draft_ids": {"elements": [[1, 0]]},
                "draft_probs": {"elements": [[[0.5, 0.5], [0.5, 0.5]]]},
                "target_probs": {"elements": [[[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]]},
                "uniform": {"elements": [[0.25, 0.25, 0.75]]},
                "lengths": {"elements": [3]},
            },
            "refused": {"kind": "ValueError", "message": "lengths"},
        },
    ],
)
def spec_verify(
    draft_ids: Tensor[np.int32, "b s", {"min": 0, "max": "v - 1"}],
    draft_probs: Tensor[np.float32, "b s v", {"min": 0, "max": 1}],
    target_probs: Tensor[np.float32, "b s+1 v", {"min": 0, "max": 1}],
    uniform: Tensor[np.float32, "b s+1", {"min": 0, "max": 1}],
    lengths: Optional[Tensor[np.int32, "b", {"min": 0, "max": "s"}]],
) -> Verified:
    b, s = draft_ids.shape
    q, p, u = (x.astype(np.float64) for x in (draft_probs, target_probs, uniform))
    accepted = np.zeros(b, np.int32)
    tokens = np.full((b, s + 1), -1, np.int32)
    for i in range(b):
        length = s if lengths is None else int(lengths[i])
        n = 0
        while n < length and u[i, n] * q[i, n, draft_ids[i, n]] < p[i, n, draft_ids[i, n]]:
            tokens[i, n] = draft_ids[i, n]
            n += 1
        accepted[i] = n
        rest = np.maximum(p[i, n] - q[i, n], 0) if n < length else p[i, n]
        at = np.cumsum(rest)
        if at[-1] == 0:
            tokens[i, n] = np.argmax(p[i, n])
        else:
            hit = np.nonzero(at > u[i, s] * at[-1])[0]
            tokens[i, n] = hit[0] if len(hit) else np.nonzero(rest > 0)[0][-1]
    return {"accepted": accepted, "tokens": tokens}


@kernel(
    sizes={"n": [5, 1, 9]},
    where=["parents < arange(n)"],
    calls=[
        {
            "arguments": {"parents": {"elements": [-1, 0, 0, 1], "dtype": "int32"}},
            "expected": {
                "result": "array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1]]) == 1"
            },
        },
        {
            "arguments": {"parents": {"elements": [-1, 1], "dtype": "int64"}},
            "refused": {"kind": "ValueError"},
        },
    ],
)
def tree_mask(
    parents: Tensor[(np.int32, np.int64), "n", {"min": -1, "value": -1}],
) -> Tensor[np.bool_, "n n"]:
    n = len(parents)
    mask = np.zeros((n, n), np.bool_)
    for i in range(n):
        j = i
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask
