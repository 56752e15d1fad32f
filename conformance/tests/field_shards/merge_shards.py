# SPDX-License-Identifier: Apache-2.0
"""Merges the copies of a tensor that several ranks hold, as an all-reduce would."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

COMPACT = {"layout": "contiguous", "device": "cpu"}

T = TypeVar("T", np.float32, np.float16, "bfloat16", np.int32)


@kernel(
    sizes={"n": [37, 1, 0, 1000], "p": [3, 1, 2]},
    parameters={"shards": {"length": "p"}, "weights": {"length": "p"}},
    where=[
        "len(shards) > 0",
        'op != "max" or weights is None',
        'out.dtype != "int32" or (op != "mean" and weights is None)',
        'op != "mean" or weights is None or 0 < sum(weights) < inf',
        "weights is None or isfinite(weights)",
    ],
    refuses=[
        {
            "when": 'op == "max" and weights is not None',
            "kind": "ValueError",
            "message": "weights must be None",
        },
        {
            "when": 'op == "mean" and out.dtype == "int32"',
            "kind": "ValueError",
            "message": "op must not be",
        },
        {"when": "len(shards) == 0", "kind": "ValueError", "message": "shards must not be empty"},
    ],
    tolerance={"float32": 1e-6, "float16": 1e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "the sum is within the range, what is summed on the way is not",
            "arguments": {
                "shards": [np.full(3, v, np.float16) for v in (60000, 60000, -60000)],
                "op": "sum",
                "weights": None,
                "threads": 1,
                "out": {"shape": [3], "dtype": "float16"},
            },
        },
        {
            "text": "NaN in any of the shards",
            "arguments": {
                "shards": [
                    np.array([np.nan, 1, -3], np.float32),
                    np.array([2, np.nan, -2], np.float32),
                ],
                "op": "max",
                "weights": None,
                "threads": 2,
                "out": {"shape": [3], "dtype": "float32"},
            },
        },
        {
            "text": "weighted mean",
            "arguments": {
                "shards": [np.array([1, 2], np.float32), np.array([5, 8], np.float32)],
                "op": "mean",
                "weights": [3.0, 1.0],
                "threads": 1,
                "out": {"shape": [2], "dtype": "float32"},
            },
            "expected": {"out": "[2, 3.5]"},
        },
        {
            "text": "much work for many threads",
            "arguments": {
                "shards": [
                    np.linspace(-1, 1, 200003, dtype=np.float32),
                    np.linspace(3, 0, 200003, dtype=np.float32),
                ],
                "op": "sum",
                "weights": None,
                "threads": 7,
                "out": {"shape": [200003], "dtype": "float32"},
            },
        },
    ],
)
def merge_shards(
    shards: list[Tensor[T, "n", COMPACT]],
    op: Literal["sum", "mean", "max"],
    weights: Optional[list[Annotated[float, Examples(0.5, 2), Range(0)]]],
    threads: Annotated[int, Examples(1, 3), Range(1, 16)],
    out: Out[Tensor[T, "n", COMPACT]],
) -> None:
    if out.dtype == np.int32:
        wide = np.stack([s.astype(np.int64) for s in shards])
        merged = wide.max(axis=0) if op == "max" else wide.sum(axis=0)
        out[...] = merged.astype(np.int32)
        return
    wide = np.stack([s.astype(np.float64) for s in shards])
    if op == "max":
        merged = wide.max(axis=0)
    elif weights is None:
        merged = wide.sum(axis=0) if op == "sum" else wide.mean(axis=0)
    else:
        w = np.array(weights, np.float64)
        merged = (wide * w[:, None]).sum(axis=0)
        if op == "mean":
            merged = merged / w.sum()
    out[...] = merged.astype(np.float32).astype(out.dtype)
