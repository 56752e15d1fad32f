# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16", np.float64)
STRIDED = {"layout": "strided"}


@kernel(
    sizes={
        "b": [2, 0, 1],
        "h": [4, 2],
        "g": [2, 1],
        "s": [3, 1, 0, 40],
        "t": [5, 3, 0, 64],
        "d": [8, 1],
        "e": [4, 8, 0],
    },
    where=[
        "g >= 1 and d >= 1",
        "h % g == 0",
        "not causal or s <= t",
        "isfinite(q)",
        "isfinite(k)",
        "isfinite(v)",
        "scale is None or scale > 0",
    ],
    refuses=[
        {"when": "causal and s > t", "kind": "ValueError", "message": "causal"},
        {"with": {"scale": 0}, "kind": "ValueError", "message": "scale"},
    ],
    tolerance={"float32": 1e-5, "float64": 1e-9, "float16": 4e-3, "bfloat16": 2e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "q": np.zeros((1, 1, 2, 1), np.float64),
                "k": np.ones((1, 1, 2, 1), np.float64),
                "v": np.array([[[[1], [5]]]], np.float64),
                "mask": np.array([[False, False], [True, True]]),
                "scale": None,
                "causal": False,
                "out": {"shape": [1, 1, 2, 1], "dtype": "float64"},
                "lse": {"shape": [1, 1, 2]},
            },
            "expected": {"out": "[[[[0], [3]]]]", "lse": "[[[-inf, log(2)]]]"},
        },
        {
            "arguments": {
                "q": np.zeros((1, 1, 1, 1), np.float32),
                "k": np.ones((1, 1, 2, 1), np.float32),
                "v": np.array([[[[1], [5]]]], np.float32),
                "mask": np.array([[0, np.nan]], np.float32),
                "scale": None,
                "causal": False,
                "out": {"shape": [1, 1, 1, 1], "dtype": "float32"},
                "lse": None,
            },
            "refused": {"kind": "ValueError", "message": "mask"},
        },
        {
            "arguments": {
                "q": np.zeros((1, 1, 1, 1), np.float32),
                "k": np.ones((1, 1, 2, 1), np.float32),
                "v": np.array([[[[1], [5]]]], np.float32),
                "mask": np.array([[-np.inf, 7]], np.float32),
                "scale": 2.0,
                "causal": True,
                "out": {"shape": [1, 1, 1, 1], "dtype": "float32"},
                "lse": {"shape": [1, 1, 1]},
            },
            "expected": {"out": "[[[[5]]]]", "lse": "[[[7]]]"},
        },
    ],
)
def attention(
    q: Tensor[T, "b h s d", STRIDED],
    k: Tensor[T, "b g t d", STRIDED],
    v: Tensor[T, "b g t e", STRIDED],
    mask: Optional[Union[Tensor[np.bool_, "s t"], Tensor[np.float32, "s t"]]],
    scale: Optional[Annotated[float, Examples(0.5, 1), Range(0, 100)]],
    causal: bool,
    out: Out[Tensor[T, "b h s e", STRIDED]],
    lse: Optional[Out[Tensor[np.float32, "b h s"]]],
) -> None:
    b, h, s, d = q.shape
    g, t = k.shape[1:3]
    f = np.float64
    if scale is None:
        scale = 1 / np.sqrt(d)
    bias = np.zeros((s, t))
    if mask is not None:
        bias = np.where(mask, 0.0, -np.inf) if mask.dtype == np.bool_ else mask.astype(f)
    if not (bias <= 1e9).all():
        raise ValueError("mask")
    if causal:
        bias = np.where(np.arange(t) <= np.arange(s)[:, None] + t - s, bias, -np.inf)
    for i in range(b):
        for j in range(h):
            n = j // (h // g)
            score = q[i, j].astype(f) @ k[i, n].astype(f).T * scale + bias
            for r in range(s):
                use = np.flatnonzero(score[r] > -np.inf)
                if len(use) == 0:
                    out[i, j, r] = 0
                    if lse is not None:
                        lse[i, j, r] = -np.inf
                    continue
                top = score[r, use].max()
                p = np.exp(score[r, use] - top)
                out[i, j, r] = p @ v[i, n, use].astype(f) / p.sum()
                if lse is not None:
                    lse[i, j, r] = top + np.log(p.sum())
