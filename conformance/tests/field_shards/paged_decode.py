# SPDX-License-Identifier: Apache-2.0
"""Attention of one query token for each request over keys and values in pages."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

COMPACT = {"layout": "contiguous", "device": "cpu"}

T = TypeVar("T", np.float32, np.float16, "bfloat16")


def some(*shape: int) -> np.ndarray:
    return np.sin(np.arange(np.prod(shape)) * 1.7).reshape(shape).astype(np.float32)


RAGGED = {
    "q": some(4, 4, 8) * 2,
    "k_pages": some(5, 2, 4, 8),
    "v_pages": some(5, 2, 4, 8)[::-1].copy(),
    "indptr": np.array([0, 2, 2, 5, 6], np.int32),
    "indices": np.array([3, 0, 4, 4, 1, 2], np.int32),
    "last_page_len": np.array([3, 0, 4, 1], np.int32),
    "layout": "HND",
    "sm_scale": None,
    "window": None,
    "logit_cap": 0.0,
    "out": {"shape": [4, 4, 8], "dtype": "float32"},
    "lse": {"shape": [4, 4]},
}


@kernel(
    sizes={
        "b": [3, 1, 0],
        "hq": [4, 8],
        "d": [8, 16],
        "pages": [5, 8],
        "s": [4, 2],
        "t": [2, 4],
        "used": [5, 3],
    },
    where=[
        "d > 0",
        's > 0 if layout == "NHD" else t > 0',
        't > 0 if layout == "NHD" else s > 0',
        'hq % (t if layout == "NHD" else s) == 0',
        "indptr[0] == 0",
        "indptr[-1] == used",
        "indptr[1:] >= indptr[:-1]",
        "last_page_len >= (indptr[1:] > indptr[:-1])",
        'last_page_len <= (s if layout == "NHD" else t) * (indptr[1:] > indptr[:-1])',
        "sm_scale is None or 0 < sm_scale < inf",
        "0 <= logit_cap < inf",
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1.6e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {"text": "pages that are shared, and a request without any", "arguments": RAGGED},
        {
            "text": "the last tokens only",
            "arguments": {**RAGGED, "window": 6, "sm_scale": 0.5, "logit_cap": 3.0},
        },
        {
            "text": "logits that are large",
            "arguments": {**RAGGED, "sm_scale": 2000.0},
        },
        {
            "text": "a page that is not there",
            "arguments": {**RAGGED, "indices": np.array([3, 0, 4, 5, 1, 2], np.int32)},
            "refused": {"kind": "ValueError", "message": "indices must be"},
        },
        {
            "text": "more tokens than a page has",
            "arguments": {**RAGGED, "last_page_len": np.array([3, 0, 5, 1], np.int32)},
            "refused": {"kind": "ValueError", "message": "last_page_len must be"},
        },
    ],
)
def paged_decode(
    q: Tensor[T, "b hq d", COMPACT],
    k_pages: Tensor[T, "pages s t d", COMPACT],
    v_pages: Tensor[T, "pages s t d", COMPACT],
    indptr: Annotated[Tensor[np.int32, "b+1", COMPACT], Range(0, "used")],
    indices: Annotated[Tensor[np.int32, "used", COMPACT], Range(0, "pages - 1")],
    last_page_len: Annotated[Tensor[np.int32, "b", COMPACT], Range(0, "s * t")],
    layout: Literal["NHD", "HND"],
    sm_scale: Optional[Annotated[float, Examples(0.25)]],
    window: Optional[Annotated[int, Examples(3), Range(1)]],
    logit_cap: Annotated[float, Examples(0, 5), Range(0)],
    out: Out[Tensor[T, "b hq d", COMPACT]],
    lse: Optional[Out[Tensor[np.float32, "b hq", COMPACT]]],
) -> None:
    keys, values = k_pages.astype(np.float64), v_pages.astype(np.float64)
    if layout == "HND":
        keys, values = keys.transpose(0, 2, 1, 3), values.transpose(0, 2, 1, 3)
    size, heads, d = keys.shape[1:]
    group = q.shape[1] // heads
    scale = 1 / np.sqrt(d) if sm_scale is None else sm_scale
    for i in range(len(q)):
        mine = indices[indptr[i] : indptr[i + 1]]
        tokens = (len(mine) - 1) * size + last_page_len[i] if len(mine) else 0
        if tokens == 0:
            out[i] = 0
            if lse is not None:
                lse[i] = -np.inf
            continue
        begin = 0 if window is None else max(0, tokens - window)
        k = keys[mine].reshape(-1, heads, d)[begin:tokens].repeat(group, axis=1)
        v = values[mine].reshape(-1, heads, d)[begin:tokens].repeat(group, axis=1)
        logits = np.einsum("hd,thd->ht", q[i].astype(np.float64), k) * scale
        if logit_cap > 0:
            logits = logit_cap * np.tanh(logits / logit_cap)
        most = logits.max(axis=1, keepdims=True)
        weights = np.exp(logits - most)
        total = weights.sum(axis=1, keepdims=True)
        o = np.einsum("ht,thd->hd", weights / total, v)
        out[i] = o.astype(np.float32).astype(out.dtype)
        if lse is not None:
            lse[i] = (most + np.log(total))[:, 0].astype(np.float32)
