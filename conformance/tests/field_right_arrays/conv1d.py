# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

DENSE = {"layout": "contiguous"}


@kernel(
    sizes={"b": [2, 1], "c": [3, 1], "o": [2, 4], "n": [12, 9], "k": [3, 1, 2]},
    let={"reach": "dilation * (k - 1) + 1"},
    where=["n + 2 * padding >= reach"],
    refuses=[
        {"when": "n + 2 * padding < reach", "kind": "ValueError", "message": "is longer than"},
        {"with": {"stride": 0}, "kind": "ValueError", "message": "stride 0"},
    ],
    tolerance=1e-5,
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "a difference, with zeros at the ends",
            "arguments": {
                "x": np.array([[[1, 4, 9]]], np.float32),
                "w": np.array([[[-1, 1]]], np.float32),
                "bias": np.array([0.5], np.float32),
                "stride": 1,
                "padding": 1,
                "dilation": 1,
                "out": {"shape": [1, 1, 4]},
            },
            "expected": {"out": "[[[1.5, 3.5, 5.5, -8.5]]]"},
        }
    ],
)
def conv1d(
    x: Tensor[np.float32, "b c n", DENSE],
    w: Tensor[np.float32, "o c k", DENSE],
    bias: Optional[Tensor[np.float32, "o", DENSE]],
    stride: Annotated[int, Examples(1, 2), Range(1, 32)],
    padding: Annotated[int, Examples(0, 1, 3), Range(0, 32)],
    dilation: Annotated[int, Examples(1, 2), Range(1, 8)],
    out: Out[Tensor[np.float32, "b o (n+2*padding-dilation*(k-1)-1)//stride+1", DENSE]],
) -> None:
    wide = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (padding, padding)))
    taps = w.shape[2]
    for i in range(out.shape[2]):
        at = i * stride + np.arange(taps) * dilation
        out[:, :, i] = np.einsum("bck,ock->bo", wide[:, :, at], w.astype(np.float64)) + (
            0 if bias is None else bias
        )
