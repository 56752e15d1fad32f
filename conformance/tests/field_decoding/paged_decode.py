# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
ROWS = {"layout": "rows"}
WHOLE = {"layout": "contiguous"}
EITHER = {"layout": "contiguous", "spellings": ["borrowed", "object"]}


@kernel(
    text="decode attention over a paged KV cache; requests without pages get 0, and -inf as lse",
    sizes={
        "b": [3, 1, 0],
        "hq": [4, 2],
        "hk": [2, 1],
        "d": [8, 5],
        "pages": [6, 9],
        "page_size": [4, 1],
        "nnz": [5, 2, 0],
    },
    where=[
        "d >= 1",
        "hk >= 1",
        "page_size >= 1",
        "hq % hk == 0",
        "indptr[0] == 0",
        "indptr[-1] == nnz",
        "indptr[1:] >= indptr[:-1]",
        "last_page_len >= where(indptr[1:] > indptr[:-1], 1, 0)",
        "last_page_len <= where(indptr[1:] > indptr[:-1], page_size, 0)",
        "sm_scale is None or isfinite(sm_scale)",
        "isfinite(soft_cap)",
    ],
    tolerance={"float32": 1e-4, "float16": 2e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "requests of one full page, of none, and of two pages",
            "arguments": {
                "q": np.linspace(-1, 1, 3 * 4 * 8, dtype=np.float32).reshape(3, 4, 8),
                "k_cache": np.cos(np.arange(6 * 4 * 2 * 8)).astype(np.float32).reshape(6, 4, 2, 8),
                "v_cache": np.sin(np.arange(6 * 4 * 2 * 8)).astype(np.float32).reshape(6, 4, 2, 8),
                "indptr": np.array([0, 1, 1, 3], np.int32),
                "indices": np.array([5, 0, 3], np.int32),
                "last_page_len": np.array([4, 0, 2], np.int32),
                "out": {"shape": [3, 4, 8]},
                "lse": {"shape": [3, 4]},
                "sm_scale": None,
                "soft_cap": 0.0,
                "window_left": -1,
            },
        },
        {
            "text": "a window that begins within the first page",
            "arguments": {
                "q": np.linspace(-2, 2, 8, dtype=np.float32).reshape(1, 2, 4),
                "k_cache": np.cos(np.arange(4 * 3 * 4)).astype(np.float32).reshape(4, 3, 1, 4),
                "v_cache": np.arange(4 * 3 * 4).astype(np.float32).reshape(4, 3, 1, 4),
                "indptr": np.array([0, 2], np.int32),
                "indices": np.array([2, 1], np.int32),
                "last_page_len": np.array([2], np.int32),
                "out": {"shape": [1, 2, 4]},
                "lse": {"shape": [1, 2]},
                "sm_scale": 0.5,
                "soft_cap": 2.0,
                "window_left": 3,
            },
        },
    ],
)
def paged_decode(
    q: Tensor[T, "b hq d", ROWS],
    k_cache: Tensor[T, "pages page_size hk d", ROWS],
    v_cache: Tensor[T, "pages page_size hk d", ROWS],
    indptr: Annotated[Tensor[np.int32, "b+1", WHOLE], Range(0, "nnz")],
    indices: Annotated[Tensor[np.int32, "nnz", WHOLE], Range(0, "pages - 1")],
    last_page_len: Annotated[Tensor[np.int32, "b", WHOLE], Range(0, "page_size")],
    out: Out[Tensor[T, "b hq d", WHOLE]],
    lse: Optional[Out[Tensor[np.float32, "b hq", EITHER]]],
    sm_scale: Annotated[Optional[float], Examples(0.25, 1.0)],
    soft_cap: Annotated[float, Examples(0.0, 5.0), Range(0)],
    window_left: Annotated[int, Examples(-1, 0, 2), Range(-1)],
) -> None:
    b, hq, d = q.shape
    _, page_size, hk, _ = k_cache.shape
    scale = 1 / np.sqrt(d) if sm_scale is None else sm_scale
    for r in range(b):
        pages = indices[indptr[r] : indptr[r + 1]]
        length = (len(pages) - 1) * page_size + int(last_page_len[r]) if len(pages) else 0
        start = max(0, length - 1 - window_left) if window_left >= 0 else 0
        if length == 0:
            out[r] = 0
            if lse is not None:
                lse[r] = -np.inf
            continue
        keys = k_cache[pages].astype(np.float64).reshape(-1, hk, d)[start:length]
        values = v_cache[pages].astype(np.float64).reshape(-1, hk, d)[start:length]
        for h in range(hq):
            g = h // (hq // hk)
            s = keys[:, g] @ q[r, h].astype(np.float64) * scale
            if soft_cap > 0:
                s = soft_cap * np.tanh(s / soft_cap)
            w = np.exp(s - s.max())
            out[r, h] = (w @ values[:, g] / w.sum()).astype(out.dtype)
            if lse is not None:
                lse[r, h] = np.log(w.sum()) + s.max()
