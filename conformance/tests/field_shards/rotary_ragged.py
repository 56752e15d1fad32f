# SPDX-License-Identifier: Apache-2.0
"""Rotates queries and keys of ragged batches by their positions, in place."""

from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

ROWS = {"layout": "rows", "device": "cpu"}
COMPACT = {"layout": "contiguous", "device": "cpu"}

T = TypeVar("T", np.float32, np.float16, "bfloat16")


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray, interleave: bool) -> None:
    half = cos.shape[1]
    wide = x.astype(np.float64)
    if interleave:
        first, second = slice(0, 2 * half, 2), slice(1, 2 * half, 2)
    else:
        first, second = slice(0, half), slice(half, 2 * half)
    a, b = wide[..., first], wide[..., second]
    c, s = cos[:, None, :], sin[:, None, :]
    x[..., first] = (a * c - b * s).astype(np.float32).astype(x.dtype)
    x[..., second] = (a * s + b * c).astype(np.float32).astype(x.dtype)


@kernel(
    sizes={
        "n": [7, 1, 0, 20],
        "hq": [4, 1],
        "hk": [2, 1],
        "d": [8, 16],
        "p": [40],
        "r": [8, 4],
        "b": [3, 1],
    },
    where=[
        "r % 2 == 0",
        "r <= d",
        "indptr[0] == 0",
        "indptr[-1] == n",
        "indptr[1:] >= indptr[:-1]",
        "offsets + indptr[1:] - indptr[:-1] <= p",
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "requests without tokens among others, and the last positions of the cache",
            "arguments": {
                "q": np.arange(48, dtype=np.float32).reshape(4, 2, 6) / 8,
                "k": np.arange(24, dtype=np.float32).reshape(4, 1, 6) / 4,
                "cache": np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4),
                "indptr": np.array([0, 0, 1, 1, 1, 4], np.int32),
                "offsets": np.array([0, 4, 1, 5, 2], np.int32),
                "interleave": interleave,
            },
        }
        for interleave in (False, True)
    ]
    + [
        {
            "text": "one token is beyond the cache",
            "arguments": {
                "q": np.ones((3, 1, 4), np.float32),
                "k": None,
                "cache": np.ones((5, 4), np.float32),
                "indptr": np.array([0, 3], np.int32),
                "offsets": np.array([3], np.int32),
                "interleave": False,
            },
            "refused": {"kind": "ValueError", "message": "offsets is beyond"},
        }
    ],
)
def rotary_ragged(
    q: InOut[Tensor[T, "n hq d", ROWS]],
    k: Optional[InOut[Tensor[T, "n hk d", ROWS]]],
    cache: Tensor[np.float32, "p r", COMPACT],
    indptr: Annotated[Tensor[np.int32, "b+1", COMPACT], Range(0, "n")],
    offsets: Annotated[Tensor[np.int32, "b", COMPACT], Range(0, "p")],
    interleave: bool,
) -> None:
    half = cache.shape[1] // 2
    request = np.repeat(np.arange(len(offsets)), np.diff(indptr))
    position = offsets[request] + np.arange(len(q)) - indptr[request]
    row = cache[position].astype(np.float64)
    rotate(q, row[:, :half], row[:, half:], interleave)
    if k is not None:
        rotate(k, row[:, :half], row[:, half:], interleave)
