# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)


def turn(x, cos, sin, interleaved):
    d = cos.shape[-1]
    one = np.s_[..., ::2] if interleaved else np.s_[..., :d]
    two = np.s_[..., 1::2] if interleaved else np.s_[..., d:]
    a, b = x[one].astype(np.float64), x[two].astype(np.float64)
    x[one] = a * cos - b * sin
    x[two] = a * sin + b * cos


@kernel(
    sizes={"t": [3, 1, 5], "h": [2], "g": [1, 2], "d": [4, 1], "p": [6, 1]},
    refuses=[
        {
            "with": {"positions": {"dtype": "int64", "elements": [0, -1, 0]}},
            "kind": "IndexError",
            "message": "position -1 is outside",
        }
    ],
    tolerance={"float32": 1e-6, "float16": 2e-3},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "q": np.array([[[1, 2]]], np.float32),
                "k": None,
                "cos": np.array([[1], [0]], np.float32),
                "sin": np.array([[0], [1]], np.float32),
                "positions": np.array([1], np.int32),
                "interleaved": True,
            },
            "expected": {"q": "[[[-2, 1]]]"},
        }
    ],
)
def rope(
    q: InOut[Tensor[T, "t h 2*d", {"layout": "rows"}]],
    k: Optional[InOut[Tensor[T, "t g 2*d", {"layout": "rows"}]]],
    cos: Tensor[np.float32, "p d", {"layout": "contiguous"}],
    sin: Tensor[np.float32, "p d", {"layout": "contiguous"}],
    positions: Annotated[
        Tensor[(np.int64, np.int32), "t", {"layout": "contiguous"}], Range(0, "p - 1")
    ],
    interleaved: bool,
) -> None:
    c, s = cos[positions][:, None].astype(np.float64), sin[positions][:, None].astype(np.float64)
    turn(q, c, s, interleaved)
    if k is not None:
        turn(k, c, s, interleaved)
