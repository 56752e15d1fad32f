# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
DENSE = {"layout": "contiguous", "device": "cpu"}
ANY = {"layout": "strided", "device": "cpu"}


@kernel(
    sizes={"b": [3, 1, 0], "r": [5, 3], "d": [4, 1], "k": [3, 1, 0]},
    where=["slots is not None or b <= r"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([[10], [20], [30]], np.float32),
                "state": np.array([[[1, 2]], [[3, 4]]], np.float32),
                "weight": np.array([[1, 1, 1]], np.float32),
                "bias": None,
                "slots": np.array([1, -1, 1], np.int32),
                "silu": False,
            },
            "expected": {
                "x": "array([[17], [20], [44]])",
                "state": "array([[[1, 2]], [[10, 30]]])",
            },
            "text": "the second sequence is padding, the third one continues the first",
        }
    ],
)
def conv_update(
    x: InOut[Tensor[T, "b d", ANY]],
    state: InOut[Tensor[T, "r d k", ANY]],
    weight: Tensor[T, "d k+1", DENSE],
    bias: Optional[Tensor[T, "d", DENSE]],
    slots: Optional[Annotated[Tensor[np.int32, "b", DENSE], Range(-1, "r - 1")]],
    silu: bool,
) -> None:
    w = weight.astype(np.float64)
    for i in range(len(x)):
        slot = i if slots is None else slots[i]
        if slot < 0:
            continue
        window = np.concatenate([state[slot], x[i][:, None]], axis=1)
        out = (window.astype(np.float64) * w).sum(axis=1)
        if bias is not None:
            out += bias.astype(np.float64)
        state[slot] = window[:, 1:]
        with np.errstate(over="ignore"):
            x[i] = (out / (1 + np.exp(-out)) if silu else out).astype(x.dtype)
