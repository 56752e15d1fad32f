# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
ROWS = {"layout": "rows", "device": "cpu"}
PLAIN = {"layout": "contiguous", "device": "cpu"}
rng = np.random.default_rng(7)


def filled(*shape):
    return rng.standard_normal(shape).astype(np.float32)


@kernel(
    sizes={
        "b": [3, 1, 0],
        "h": [4, 2],
        "kv": [2, 1],
        "d": [16, 5],
        "p": [9],
        "page": [4, 1],
        "m": [3, 1],
    },
    where=[
        "h % kv == 0",
        "scale is None or scale > 0",
        "scale is None or scale < inf",
        "soft_cap < inf",
        "seq_lens <= m * page",
        "arange(m)[None, :] * page >= seq_lens[:, None]"
        " or (0 <= block_tables and block_tables < p)",
    ],
    tolerance={"float32": 1e-5, "float16": 4e-3, "bfloat16": 2e-2},
    promises=["repeatable", "atomic"],
    calls=[
        {
            # pages behind the last one of a request may be anything
            "arguments": {
                "q": filled(3, 4, 8),
                "k_cache": filled(5, 2, 2, 8),
                "v_cache": filled(5, 2, 2, 8),
                "block_tables": np.array([[4, 1, 0], [2, -1, 99], [-1, -1, -1]], np.int32),
                "seq_lens": np.array([5, 2, 0], np.int32),
                "scale": None,
                "window_left": window,
                "soft_cap": cap,
                "out": None,
                "lse": {"shape": [3, 4]},
            }
        }
        for window, cap in ((-1, 0.0), (1, 0.0), (0, 0.0), (-1, 0.5), (3, 2.0))
    ]
    + [
        {
            # enough rows and tokens for several threads
            "arguments": {
                "q": filled(8, 8, 32),
                "k_cache": filled(64, 16, 2, 32),
                "v_cache": filled(64, 16, 2, 32),
                "block_tables": rng.permutation(64).reshape(8, 8).astype(np.int32),
                "seq_lens": np.array([128, 1, 77, 16, 17, 100, 0, 64], np.int32),
                "scale": 0.25,
                "window_left": -1,
                "soft_cap": 0.0,
                "out": {"shape": [8, 8, 32]},
                "lse": {"shape": [8, 8]},
            }
        }
    ],
)
def paged_decode(
    q: Tensor[T, "b h d", ROWS],
    k_cache: Tensor[T, "p page kv d", ROWS],
    v_cache: Tensor[T, "p page kv d", ROWS],
    block_tables: Tensor[np.int32, "b m", ROWS],
    seq_lens: Annotated[Tensor[np.int32, "b", PLAIN], Range(0, "m * page")],
    scale: Optional[Annotated[float, Examples(0.5, 0.125)]],
    window_left: Annotated[int, Examples(-1, 0, 2, 1000), Range(least=-1)],
    soft_cap: Annotated[float, Examples(0.0, 0.75, 30.0), Range(least=0)],
    out: Optional[Out[Tensor[T, "b h d", ROWS]]],
    lse: Optional[Out[Tensor[np.float32, "b h", PLAIN]]],
) -> Tensor[T, "b h d", {"alias": "out"}]:
    b, h, d = q.shape
    page, kv = k_cache.shape[1:3]
    factor = 1 / np.sqrt(d) if scale is None else scale
    result = np.zeros((b, h, d), np.float64)
    sums = np.full((b, h), -np.inf)
    for r in range(b):
        length = int(seq_lens[r])
        if length == 0:
            continue
        at = np.arange(0 if window_left < 0 else max(0, length - window_left - 1), length)
        pages = block_tables[r, at // page]
        keys = k_cache[pages, at % page].astype(np.float64)
        values = v_cache[pages, at % page].astype(np.float64)
        for head in range(h):
            scores = keys[:, head // (h // kv)] @ q[r, head].astype(np.float64) * factor
            if soft_cap > 0:
                scores = soft_cap * np.tanh(scores / soft_cap)
            top = scores.max()
            weights = np.exp(scores - top)
            result[r, head] = weights @ values[:, head // (h // kv)] / weights.sum()
            sums[r, head] = top + np.log(weights.sum())
    if lse is not None:
        lse[...] = sums
    if out is not None:
        out[...] = result
    return result.astype(q.dtype)
