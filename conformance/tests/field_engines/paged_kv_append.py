# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float16, "bfloat16", np.float32, "float8_e4m3fn")
ROWS = {"layout": "rows", "device": "cpu"}
PLAIN = {"layout": "contiguous", "device": "cpu"}


def cache(shape):
    return np.zeros(shape, np.float32)


@kernel(
    sizes={
        "t": [5, 1, 0],
        "h": [2, 1],
        "d": [12, 8],
        "p": [6],
        "a": [2, 4, 1],
        "b": [4, 2, 1],
        "m": [4, 6],
        "r": [2, 3],
    },
    where=[
        'h == (b if layout == "NHD" else a)',
        "kv_indptr[0] == 0",
        "kv_indptr[-1] == m",
        "kv_indptr[1:] >= kv_indptr[:-1]",
        "batch_indices < 0 or kv_indptr[batch_indices] + positions"
        ' // (a if layout == "NHD" else b) < kv_indptr[batch_indices + 1]',
    ],
    tolerance=0,
    promises=["atomic", "repeatable"],
    calls=[
        {
            # two requests; the second one's pages come first in the cache; one token is padding
            "arguments": {
                "key": np.arange(4 * 2 * 3, dtype=np.float32).reshape(4, 2, 3),
                "value": -np.arange(4 * 2 * 3, dtype=np.float32).reshape(4, 2, 3),
                "batch_indices": np.array([0, 0, -1, 1], np.int32),
                "positions": np.array([1, 2, 0, 3], np.int32),
                "k_cache": cache((5, 2, 2, 3)),
                "v_cache": cache((5, 2, 2, 3)),
                "kv_indices": np.array([4, 2, 1, 0], np.int32),
                "kv_indptr": np.array([0, 2, 4], np.int32),
                "layout": layout,
            },
        }
        for layout in ("NHD", "HND")
    ]
    + [
        {
            # position 4 would be on the first page of the next request
            "arguments": {
                "key": np.ones((2, 1, 4), np.float16),
                "value": np.ones((2, 1, 4), np.float16),
                "batch_indices": np.array([0, 0], np.int32),
                "positions": np.array([3, 4], np.int32),
                "k_cache": np.zeros((3, 4, 1, 4), np.float16),
                "v_cache": np.zeros((3, 4, 1, 4), np.float16),
                "kv_indices": np.array([0, 2], np.int32),
                "kv_indptr": np.array([0, 1, 2], np.int32),
                "layout": "NHD",
            },
            "refused": {"kind": "ValueError", "message": "positions"},
        }
    ],
)
def paged_kv_append(
    key: Tensor[T, "t h d", ROWS],
    value: Tensor[T, "t h d", ROWS],
    batch_indices: Annotated[Tensor[np.int32, "t", PLAIN], Range(-1, "r - 1")],
    positions: Annotated[Tensor[np.int32, "t", PLAIN], Range(least=0)],
    k_cache: InOut[Tensor[T, "p a b d", ROWS]],
    v_cache: InOut[Tensor[T, "p a b d", ROWS]],
    kv_indices: Annotated[Tensor[np.int32, "m", PLAIN], Range(0, "p - 1")],
    kv_indptr: Annotated[Tensor[np.int32, "r+1", PLAIN], Range(0, "m")],
    layout: Literal["NHD", "HND"],
) -> None:
    nhd = layout == "NHD"
    page_size = k_cache.shape[1 if nhd else 2]
    for t, (b, position) in enumerate(zip(batch_indices, positions)):
        if b < 0:
            continue
        entry = kv_indptr[b] + position // page_size
        if entry >= kv_indptr[b + 1]:
            raise ValueError("positions has one beyond the pages of its request")
        page, row = kv_indices[entry], position % page_size
        for source, target in ((key, k_cache), (value, v_cache)):
            if nhd:
                target[page, row] = source[t]
            else:
                target[page, :, row] = source[t]
