# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel


@kernel(
    text="Best path decoding of a batch of CTC outputs.",
    sizes={"b": [3, 1], "t": [6, 1, 40], "v": [4, 1, 30]},
    promises=["atomic", "repeatable"],
    refuses=[
        {"when": "blank >= v", "kind": "ValueError", "message": "blank must"},
        {"when": "blank < 0", "kind": "ValueError", "message": "blank must"},
    ],
    calls=[
        {
            "text": "a blank parts equal symbols, and equal symbols in a row are one",
            "arguments": {
                "logits": np.eye(3, dtype=np.float32)[None, [1, 1, 0, 1, 2, 2]],
                "lengths": None,
                "blank": 0,
                "merge_repeated": True,
                "tokens": {"shape": [1, 6]},
                "counts": {"shape": [1]},
                "scores": None,
            },
            "expected": {"tokens": "[[1, 1, 2, -1, -1, -1]]", "counts": "[3]"},
        },
        {
            "arguments": {
                "logits": np.eye(3, dtype=np.float32)[None, [1, 1, 0, 1, 2, 2]],
                "lengths": np.array([5], np.int64),
                "blank": 0,
                "merge_repeated": False,
                "tokens": {"shape": [1, 6]},
                "counts": {"shape": [1]},
                "scores": {"shape": [1]},
            },
        },
        {
            "text": "the first of equal logits is taken",
            "arguments": {
                "logits": np.zeros((2, 2, 4), np.float16),
                "lengths": np.array([2, 0], np.int32),
                "blank": 3,
                "merge_repeated": True,
                "tokens": {"shape": [2, 2]},
                "counts": {"shape": [2]},
                "scores": {"shape": [2]},
            },
        },
        {
            "text": "NaN in the second sequence",
            "arguments": {
                "logits": np.array([[[0, 1]], [[np.nan, 1]]], np.float32),
                "lengths": None,
                "blank": 0,
                "merge_repeated": True,
                "tokens": {"shape": [2, 1]},
                "counts": {"shape": [2]},
                "scores": None,
            },
            "refused": {"kind": "ValueError", "message": "logits must"},
        },
        {
            "text": "NaN in a frame that does not count",
            "arguments": {
                "logits": np.array([[[0, 1], [np.nan, 1]]], np.float32),
                "lengths": np.array([1], np.int32),
                "blank": 0,
                "merge_repeated": True,
                "tokens": {"shape": [1, 2]},
                "counts": {"shape": [1]},
                "scores": None,
            },
            "expected": {"tokens": "[[1, -1]]", "counts": "[1]"},
        },
        {
            "arguments": {
                "logits": np.array([[[-np.inf, -np.inf]]], np.float32),
                "lengths": None,
                "blank": 0,
                "merge_repeated": True,
                "tokens": {"shape": [1, 1]},
                "counts": {"shape": [1]},
                "scores": None,
            },
            "refused": {"kind": "ValueError", "message": "logits must have a number"},
        },
    ],
)
def ctc_greedy(
    logits: Tensor[(np.float32, np.float16), "b t v", {"layout": "contiguous"}],
    lengths: Optional[
        Annotated[Tensor[(np.int32, np.int64), "b", {"layout": "contiguous"}], Range(0, "t")]
    ],
    blank: Annotated[int, Range(0, "v - 1")],
    merge_repeated: bool,
    tokens: Out[Tensor[np.int32, "b t", {"layout": "contiguous"}]],
    counts: Out[Tensor[np.int32, "b", {"layout": "contiguous"}]],
    scores: Optional[Out[Tensor[np.float32, "b", {"layout": "contiguous"}]]],
) -> None:
    b, t, _ = logits.shape
    tokens[...] = -1
    for i in range(b):
        frames = t if lengths is None else int(lengths[i])
        x = logits[i, :frames].astype(np.float64)
        if np.isnan(x).any() or (x == np.inf).any():
            raise ValueError("logits must not be NaN or +inf")
        if not np.isfinite(x).any(axis=1).all():
            raise ValueError("logits must have a number in each frame")
        path = x.argmax(axis=1)
        found = [
            int(c)
            for f, c in enumerate(path)
            if c != blank and not (merge_repeated and f > 0 and path[f - 1] == c)
        ]
        tokens[i, : len(found)] = found
        counts[i] = len(found)
        if scores is not None:
            top = x.max(axis=1, keepdims=True)
            others = np.exp(x - top)
            others[np.arange(frames), path] = 0
            scores[i] = -np.log1p(others.sum(axis=1)).sum()
