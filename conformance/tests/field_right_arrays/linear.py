# SPDX-License-Identifier: Apache-2.0
from math import erfc, sqrt
from typing import Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
ANY = {"layout": "strided"}


@kernel(
    sizes={"n": [3, 1], "k": [5, 1, 0], "m": [4, 2]},
    refuses=[{"with": {"act": "tanh"}, "kind": "ValueError", "message": 'no activation "tanh"'}],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 2], [0, -1]], np.float64),
                "w": np.array([[1, 1], [2, -2], [0, 3]], np.float64),
                "bias": np.array([0, 1, 0.5], np.float64),
                "act": "relu",
                "out": {"dtype": "float64", "shape": [2, 3]},
            },
            "expected": {"out": "[[3, 0, 6.5], [0, 3, 0]]", "result": "[[3, 0, 6.5], [0, 3, 0]]"},
        },
        {
            "text": "a new tensor",
            "arguments": {
                "x": np.array([[2]], np.float32),
                "w": np.array([[-3]], np.float32),
                "bias": None,
                "act": None,
                "out": None,
            },
            "expected": {"result": "[[-6]]"},
        },
    ],
)
def linear(
    x: Tensor[T, "n k", ANY],
    w: Tensor[T, "m k", ANY],
    bias: Optional[Tensor[T, "m", ANY]],
    act: Optional[Literal["none", "relu", "gelu"]],
    out: Optional[Out[Tensor[T, "n m", ANY]]],
) -> Tensor[T, "n m", {"alias": "out"}]:
    y = x.astype(np.float64) @ w.T.astype(np.float64)
    if bias is not None:
        y = y + bias
    if act == "relu":
        y = np.maximum(y, 0)
    elif act == "gelu":
        y = 0.5 * y * np.vectorize(erfc, otypes=[np.float64])(-y / sqrt(2))
    if out is not None:
        out[...] = y
    return y.astype(x.dtype)
