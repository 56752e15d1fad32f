# SPDX-License-Identifier: Apache-2.0
"""What paged_decode.cc computes: attention of one query per sequence on a cache in pages."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

CPU = {"device": "cpu"}
T = TypeVar("T", np.float32, np.float16)


@kernel(
    sizes={
        "b": [3, 1, 5, 0],
        "hq": [4, 8],
        "d": [16, 8, 64],
        "p": [6, 1],
        "u": [4, 2],
        "v": [2, 4],
        "nnz": [5, 9, 0],
    },
    where=[
        'hq % (v if kv_layout == "NHD" else u) == 0',
        "indptr[0] == 0",
        "indptr[-1] == nnz",
        "indptr[1:] >= indptr[:-1]",
        'last_page_len <= (u if kv_layout == "NHD" else v)',
        "window == -1 or window >= 1",
        "sm_scale is None or isfinite(sm_scale)",
        "isfinite(soft_cap)",
    ],
    refuses=[
        {"when": "indptr[-1] != nnz", "kind": "ValueError", "message": "indptr"},
        {"when": "soft_cap < 0", "kind": "ValueError", "message": "soft_cap"},
        {"when": "window == 0 or window < -1", "kind": "ValueError", "message": "window"},
        {"with": {"kv_layout": "DHN"}, "kind": "ValueError", "message": "kv_layout"},
        {"with": {"hq": 3}, "kind": "ValueError", "message": "multiple"},
    ],
    parameters={
        "q": CPU,
        "k_cache": CPU,
        "v_cache": CPU,
        "indptr": CPU,
        "page_indices": CPU,
        "last_page_len": CPU,
        "out": CPU,
        "lse": CPU,
        "soft_cap": {"value": 0},
    },
    calls=[
        {
            "arguments": {
                "q": np.array([[[1, 0], [0, 1]], [[1, 1], [2, 2]]], np.float32),
                "k_cache": np.arange(16, dtype=np.float32).reshape(4, 2, 1, 2) / 8,
                "v_cache": np.arange(16, dtype=np.float32).reshape(4, 2, 1, 2),
                "indptr": np.array([0, 0, 3], np.int32),
                "page_indices": np.array([3, 0, 3], np.int32),
                "last_page_len": np.array([1, 1], np.int32),
                "kv_layout": "NHD",
                "sm_scale": None,
                "soft_cap": 0.0,
                "window": -1,
                "out": {"shape": [2, 2, 2]},
                "lse": {"shape": [2, 2]},
            },
        },
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3},
    promises=["atomic", "repeatable"],
    text="Pages are (place, head, d) in layout NHD, (head, place, d) in HND. The window is the number of "
    "last places that are seen. A sequence without pages gives zeros, and -inf in lse.",
)
def paged_decode(
    q: Tensor[T, "b hq d"],
    k_cache: Tensor[T, "p u v d"],
    v_cache: Tensor[T, "p u v d"],
    indptr: Annotated[Tensor[np.int32, "b+1"], Range(0, "nnz")],
    page_indices: Annotated[Tensor[np.int32, "nnz"], Range(0, "p - 1")],
    last_page_len: Annotated[Tensor[np.int32, "b"], Range(1)],
    kv_layout: Literal["NHD", "HND"],
    sm_scale: Optional[Annotated[float, Examples(0.5, 1.0)]],
    soft_cap: Annotated[float, Examples(0.0, 2.0), Range(0)],
    window: Annotated[int, Examples(-1, 1, 5)],
    out: Out[Tensor[T, "b hq d"]],
    lse: Optional[Out[Tensor[np.float32, "b hq"]]],
) -> None:
    d = q.shape[2]
    scale = 1 / np.sqrt(d) if sm_scale is None else sm_scale
    keys, values = k_cache.astype(np.float64), v_cache.astype(np.float64)
    if kv_layout == "HND":
        keys, values = keys.swapaxes(1, 2), values.swapaxes(1, 2)
    size, heads = keys.shape[1:3]
    group = q.shape[1] // heads
    for i in range(q.shape[0]):
        pages = page_indices[indptr[i] : indptr[i + 1]]
        if len(pages) == 0:
            out[i] = 0
            if lse is not None:
                lse[i] = -np.inf
            continue
        length = (len(pages) - 1) * size + last_page_len[i]
        first = 0 if window == -1 else max(0, length - window)
        k = keys[pages].reshape(-1, heads, d)[first:length].repeat(group, axis=1)
        v = values[pages].reshape(-1, heads, d)[first:length].repeat(group, axis=1)
        with np.errstate(all="ignore"):
            logits = scale * np.einsum("hd,thd->ht", q[i].astype(np.float64), k)
            if soft_cap > 0:
                logits = soft_cap * np.tanh(logits / soft_cap)
            most = logits.max(axis=1, keepdims=True)
            powers = np.exp(logits - most)
            sums = powers.sum(axis=1)
            out[i] = np.einsum("ht,thd->hd", powers, v) / sums[:, None]
            if lse is not None:
                lse[i] = most[:, 0] + np.log(sums)
