# SPDX-License-Identifier: Apache-2.0
"""Decode attention over a paged KV cache."""

from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)


@kernel(
    sizes={
        "b": [3, 1, 9],
        "h": [4],
        "hk": [2, 4, 1],
        "d": [8, 5],
        "p": [6],
        "ps": [4, 1],
        "nnz": [5],
    },
    where=[
        "d >= 1",
        "ps >= 1",
        "hk >= 1",
        "h % hk == 0",
        "indptr[0] == 0",
        "indptr[-1] == nnz",
        "indptr[1:] >= indptr[:-1]",
    ],
    tolerance={"float32": 1e-4, "float16": 1e-2},
)
def paged_decode(
    q: Tensor[T, "b h d"],
    k_cache: Tensor[T, "p ps hk d"],
    v_cache: Tensor[T, "p ps hk d"],
    indptr: Tensor[np.int32, "b+1"],
    indices: Tensor[np.int32, "nnz", {"min": 0, "max": "p - 1"}],
    last_page_len: Tensor[np.int32, "b", {"min": 1, "max": "ps"}],
    out: Out[Tensor[T, "b h d"]],
    lse: Optional[Out[Tensor[np.float32, "b h"]]],
    scale: Optional[Annotated[float, Range(0, 16)]],
    window: Annotated[int, Range(0, 2**31 - 1)],
) -> None:
    b, h, d = q.shape
    ps, hk = k_cache.shape[1:3]
    s = 1.0 / np.sqrt(d) if scale is None else scale
    for i in range(b):
        pages = indices[indptr[i] : indptr[i + 1]]
        n = (len(pages) - 1) * ps + last_page_len[i] if len(pages) else 0
        first = n - window if 0 < window < n else 0
        k = k_cache[pages].reshape(-1, hk, d)[first:n].astype(np.float64)
        v = v_cache[pages].reshape(-1, hk, d)[first:n].astype(np.float64)
        for j in range(h):
            if n == 0:
                out[i, j] = 0
                if lse is not None:
                    lse[i, j] = -np.inf
                continue
            g = j // (h // hk)
            scores = k[:, g] @ q[i, j].astype(np.float64) * s
            top = scores.max()
            w = np.exp(scores - top)
            out[i, j] = w @ v[:, g] / w.sum()
            if lse is not None:
                lse[i, j] = top + np.log(w.sum())
