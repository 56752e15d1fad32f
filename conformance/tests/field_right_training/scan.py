# SPDX-License-Identifier: Apache-2.0
from typing import TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int32, np.int64, np.uint8)
DENSE = {"layout": "contiguous", "device": "cpu"}


@kernel(
    sizes={"n": [6, 1, 0, 1000]},
    parameters={"y": {"alias": "x"}},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([2147483647, 1, 5], np.int32),
                "y": {"shape": [3]},
                "exclusive": False,
                "reverse": False,
            },
            "expected": {"y": "array([2147483647, -2147483648, -2147483643])"},
        },
        {
            "arguments": {
                "x": np.array([[1, 2, 3], [4, 5, 6]], np.float32),
                "y": {"shape": [2, 3]},
                "exclusive": True,
                "reverse": True,
            },
            "expected": {"y": "array([[5, 3, 0], [11, 6, 0]])"},
        },
    ],
)
def scan(
    x: Tensor[T, "*batch n", DENSE],
    y: Out[Tensor[T, "*batch n", DENSE]],
    exclusive: bool,
    reverse: bool,
) -> None:
    wide = x.astype(np.float64 if x.dtype.kind == "f" else np.int64)
    if reverse:
        wide = wide[..., ::-1]
    sums = np.cumsum(wide, axis=-1)
    if exclusive:
        sums = np.concatenate([np.zeros_like(sums[..., :1]), sums[..., :-1]], axis=-1)
    if reverse:
        sums = sums[..., ::-1]
    y[...] = sums.astype(x.dtype)
