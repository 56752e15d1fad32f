# SPDX-License-Identifier: Apache-2.0
"""Sampling of tokens from logits."""

from typing import Annotated, NotRequired, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)


class Options(TypedDict):
    temperature: NotRequired[Annotated[float, Range(0, 100)]]
    top_k: NotRequired[Annotated[int, Range(0, 2**63 - 1)]]
    top_p: NotRequired[Annotated[float, Range(0, 1)]]
    min_p: NotRequired[Annotated[float, Range(0, 1)]]


@kernel(
    sizes={"b": [3, 1, 20], "v": [16, 1, 33]},
    where=["v >= 1", "isfinite(logits)", "uniform >= 0", "uniform < 1"],
    calls=[
        {
            "arguments": {
                "logits": {"elements": [[1, 2, 3, 4], [4, 3, 2, 1]], "dtype": "float32"},
                "uniform": {"elements": [0.5, "nan"]},
                "options": {},
            },
            "refused": {"kind": "ValueError", "message": "uniform"},
        },
        {
            "arguments": {
                "logits": {"elements": [[1, 2, 3, 4], [4, 3, 2, 1]], "dtype": "float32"},
                "uniform": {"elements": [0.5, 1.0]},
                "options": {},
            },
            "refused": {"kind": "ValueError", "message": "uniform"},
        },
        {
            "arguments": {
                "logits": {"elements": [[0, 0, 0, 0], [0, 0, 0, 0]], "dtype": "float32"},
                "uniform": {"elements": [0.9, 0.9]},
                "options": {"top_k": 4294967297},
            },
            "expected": {"result": "array([3, 3])"},
        },
        {
            "arguments": {
                "logits": {"elements": [[9, 0, 0, 1], [1, 0, 0, 9]], "dtype": "float32"},
                "uniform": {"elements": [0.9, 0.1]},
                "options": {"top_k": 1},
            },
            "expected": {"result": "array([0, 3])"},
        },
        {
            "arguments": {
                "logits": {"elements": [[9, 0, 12, 1], [1, 10, 0, 9]], "dtype": "float32"},
                "uniform": {"elements": [0.9, 0.1]},
                "options": {"temperature": 0},
            },
            "expected": {"result": "array([2, 1])"},
        },
    ],
    promises=["repeatable", "fresh"],
)
def sample(
    logits: Tensor[T, "b v", {"layout": "rows"}],
    uniform: Tensor[np.float32, "b", {"min": 0, "max": 0.99}],
    options: Options,
) -> Tensor[np.int32, "b"]:
    b, v = logits.shape
    temperature = options.get("temperature", 1.0)
    top_k, top_p, min_p = (
        options.get("top_k", 0),
        options.get("top_p", 1.0),
        options.get("min_p", 0.0),
    )
    out = np.zeros(b, np.int32)
    for i in range(b):
        row = logits[i].astype(np.float64)
        if temperature == 0:
            out[i] = np.argmax(row)
            continue
        w = np.exp((row - row.max()) / temperature)
        order = np.argsort(-row, kind="stable")
        k = min(top_k, v) if top_k > 0 else v
        s = w[order]
        before = np.concatenate([[0.0], np.cumsum(s)[:-1]])
        total = np.cumsum(s[:k])[-1]
        keep = (np.arange(v) < k) & (before < top_p * total) & (s >= min_p)
        keep[0] = True
        ids = np.sort(order[keep])
        at = np.cumsum(w[ids])
        hit = np.nonzero(at > np.float64(uniform[i]) * at[-1])[0]
        out[i] = ids[hit[0]]
    return out
