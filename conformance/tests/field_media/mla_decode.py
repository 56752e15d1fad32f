# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")


@kernel(
    sizes={
        "b": [2, 1, 0],
        "h": [4, 1, 16],
        "r": [8, 32, 1],
        "p": [4, 0],
        "pages": [6, 1],
        "page": [4, 1],
        "width": [3, 5],
    },
    where=["page >= 1", "sm_scale > 0", "lengths <= width * page"],
    tolerance={"float32": 1e-4, "float16": 4e-3, "bfloat16": 2e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "q": np.ones((2, 1, 2), np.float32),
                "q_pe": np.ones((2, 1, 1), np.float32),
                "ckv": np.arange(8, dtype=np.float32).reshape(2, 2, 2),
                "kpe": np.zeros((2, 2, 1), np.float32),
                "table": np.array([[1, -1], [0, 1]], np.int32),
                "lengths": np.array([2, 0], np.int32),
                "sm_scale": 0.5,
                "sink": None,
                "out": {"shape": [2, 1, 2]},
                "lse": {"shape": [2, 1]},
            }
        },
        {
            "arguments": {
                "q": np.zeros((1, 2, 2), np.float32),
                "q_pe": np.zeros((1, 2, 0), np.float32),
                "ckv": np.arange(8, dtype=np.float32).reshape(2, 2, 2),
                "kpe": np.zeros((2, 2, 0), np.float32),
                "table": np.array([[1, 0]], np.int32),
                "lengths": np.array([3], np.int32),
                "sm_scale": 0.5,
                "sink": np.array([800, -800], np.float32),
                "out": {"shape": [1, 2, 2]},
                "lse": {"shape": [1, 2]},
            }
        },
        {
            "arguments": {
                "q": np.zeros((1, 2, 2), np.float32),
                "q_pe": np.zeros((1, 2, 0), np.float32),
                "ckv": np.arange(8, dtype=np.float32).reshape(2, 2, 2),
                "kpe": np.zeros((2, 2, 0), np.float32),
                "table": np.array([[1, 0]], np.int32),
                "lengths": np.array([5], np.int32),
                "sm_scale": 0.5,
                "sink": None,
                "out": {"shape": [1, 2, 2]},
                "lse": None,
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def mla_decode(
    q: Tensor[T, "b h r"],
    q_pe: Tensor[T, "b h p"],
    ckv: Tensor[T, "pages page r"],
    kpe: Tensor[T, "pages page p"],
    table: Annotated[Tensor[np.int32, "b width"], Range(-1, "pages - 1")],
    lengths: Annotated[Tensor[np.int32, "b"], Range(0, "width * page")],
    sm_scale: Annotated[float, Examples(0.125, 1.0), Range(0, 100)],
    sink: Optional[Tensor[np.float32, "h"]],
    out: Out[Tensor[T, "b h r"]],
    lse: Optional[Out[Tensor[np.float32, "b h"]]],
) -> None:
    page = ckv.shape[1]
    for i, n in enumerate(lengths):
        if (table[i, : (n + page - 1) // page] < 0).any():
            raise ValueError("a page that is needed is missing")
    q, q_pe, ckv, kpe = (t.astype(np.float64) for t in (q, q_pe, ckv, kpe))
    for i, n in enumerate(lengths):
        at = np.arange(n)
        pages = table[i][at // page] if n else np.zeros(0, np.int32)
        k, pe = ckv[pages, at % page], kpe[pages, at % page]
        scores = (q[i] @ k.T + q_pe[i] @ pe.T) * sm_scale
        if sink is not None:
            scores = np.concatenate([scores, sink.astype(np.float64)[:, None]], axis=1)
        if scores.shape[1] == 0:
            out[i] = 0
            if lse is not None:
                lse[i] = -np.inf
            continue
        most = scores.max(axis=1, keepdims=True)
        w = np.exp(scores - most)
        total = w.sum(axis=1, keepdims=True)
        out[i] = ((w[:, :n] @ k) / total).astype(out.dtype)
        if lse is not None:
            lse[i] = (np.log(total) + most)[:, 0]
