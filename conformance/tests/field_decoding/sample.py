# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
WHOLE = {"layout": "contiguous"}
EITHER = {"layout": "contiguous", "spellings": ["borrowed", "object"]}


@kernel(
    text="draws a token for each row by temperature, top-k and top-p, with given uniform numbers",
    sizes={"b": [3, 1, 0, 8], "v": [9, 1, 40]},
    where=[
        "v >= 1",
        "isfinite(logits)",
        "uniform < 1",
        "temperature is None or isfinite(temperature)",
        "top_p is None or top_p > 0",
    ],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "text": "equal logits: in rising order of tokens",
            "arguments": {
                "logits": np.array([[1, 2, 2, 2], [0, 0, 0, 0], [3, 1, 3, 0]], np.float32),
                "uniform": np.array([0, 0.5, 0.875], np.float32),
                "temperature": None,
                "top_k": None,
                "top_p": None,
                "probs": None,
            },
        },
        {
            "text": "temperature 0 takes the first of the largest; a k beyond the row is all of it",
            "arguments": {
                "logits": np.array([[1, 5, 5, 0], [0, 1, 2, 3]], np.float32),
                "uniform": np.array([0.75, 0.999], np.float32),
                "temperature": np.array([0, 2], np.float32),
                "top_k": np.array([3, 2147483647], np.int32),
                "top_p": np.array([1, 1], np.float32),
                "probs": {"shape": [2, 4]},
            },
        },
        {
            "text": "the token that crosses the limit is kept",
            "arguments": {
                "logits": np.zeros((2, 4), np.float32),
                "uniform": np.array([0.75, 0.75], np.float32),
                "temperature": None,
                "top_k": None,
                "top_p": np.array([0.5, 0.625], np.float32),
                "probs": {"shape": [2, 4]},
            },
        },
        {
            "arguments": {
                "logits": np.zeros((1, 4), np.float32),
                "uniform": np.array([0.5], np.float32),
                "temperature": np.array([-1], np.float32),
                "top_k": None,
                "top_p": None,
                "probs": None,
            },
            "refused": {"kind": "ValueError", "message": "temperature"},
        },
        {
            "arguments": {
                "logits": np.array([[0, np.nan]], np.float32),
                "uniform": np.array([0.5], np.float32),
                "temperature": None,
                "top_k": None,
                "top_p": None,
                "probs": {"shape": [1, 2]},
            },
            "refused": {"kind": "ValueError", "message": "logits"},
        },
        {
            "arguments": {
                "logits": np.zeros((2, 4), np.float32),
                "uniform": np.array([0.5, 1], np.float32),
                "temperature": None,
                "top_k": None,
                "top_p": None,
                "probs": {"shape": [2, 4]},
            },
            "refused": {"kind": "ValueError", "message": "uniform"},
        },
        {
            "arguments": {
                "logits": np.zeros((1, 4), np.float32),
                "uniform": np.array([0.5], np.float32),
                "temperature": None,
                "top_k": None,
                "top_p": np.array([0], np.float32),
                "probs": None,
            },
            "refused": {"kind": "ValueError", "message": "top_p"},
        },
    ],
)
def sample(
    logits: Tensor[T, "b v", {"layout": "rows"}],
    uniform: Annotated[Tensor[np.float32, "b", WHOLE], Range(0, 1)],
    temperature: Annotated[Optional[Tensor[np.float32, "b", EITHER]], Range(0, 100)],
    top_k: Annotated[Optional[Tensor[np.int32, "b", EITHER]], Range(1)],
    top_p: Annotated[Optional[Tensor[np.float32, "b", EITHER]], Range(0, 1)],
    probs: Optional[Out[Tensor[np.float32, "b v", EITHER]]],
) -> Tensor[np.int32, "b"]:
    b, v = logits.shape
    tokens = np.zeros(b, np.int32)
    for r in range(b):
        x = logits[r].astype(np.float64)
        order = np.argsort(-x, kind="stable")
        t = 1.0 if temperature is None else float(temperature[r])
        kept = v if top_k is None else min(v, int(top_k[r]))
        if t == 0:
            kept, weights = 1, np.ones(1)
        else:
            with np.errstate(all="ignore"):
                weights = np.exp((x[order[:kept]] - x[order[0]]) / t)
        sums = np.cumsum(weights)
        if top_p is not None:
            kept = min(kept, int(np.sum(sums < float(top_p[r]) * sums[-1])) + 1)
        weights, sums = weights[:kept], sums[:kept]
        if probs is not None:
            probs[r] = 0
            probs[r, order[:kept]] = weights / sums[-1]
        tokens[r] = order[min(kept - 1, int(np.sum(sums <= float(uniform[r]) * sums[-1])))]
    return tokens
