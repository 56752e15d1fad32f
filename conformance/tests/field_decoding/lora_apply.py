# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
ROWS = {"layout": "rows"}
WHOLE = {"layout": "contiguous"}


@kernel(
    text="adds the low-rank adapter of each token; -1 is none",
    sizes={"t": [5, 1, 0, 13], "n": [6, 3], "k": [8, 5], "r": [4, 6, 1], "p": [2, 1, 3]},
    parameters={"a": {"length": "p"}, "b": {"length": "p"}},
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "a scale for each adapter, tokens without one, more tokens than threads",
            "arguments": {
                "y": np.arange(14).astype(np.float32).reshape(7, 2),
                "x": np.linspace(-1, 1, 21, dtype=np.float32).reshape(7, 3),
                "a": [
                    np.arange(6).astype(np.float32).reshape(2, 3),
                    np.ones((2, 3), np.float32),
                ],
                "b": [
                    np.array([[1, 2], [3, 4]], np.float32),
                    np.array([[0, -1], [1, 0]], np.float32),
                ],
                "scales": np.array([0.5, 2], np.float32),
                "ids": np.array([0, 1, -1, 1, 0, -1, 1], np.int32),
                "num_threads": 3,
            },
        },
    ],
)
def lora_apply(
    y: InOut[Tensor[T, "t n", ROWS]],
    x: Tensor[T, "t k", ROWS],
    a: list[Tensor[T, "r k", WHOLE]],
    b: list[Tensor[T, "n r", WHOLE]],
    scales: Tensor[np.float32, "p", WHOLE],
    ids: Annotated[Tensor[np.int32, "t", WHOLE], Range(-1, "p - 1")],
    num_threads: Annotated[int, Examples(4, 3), Range(1, 64)],
) -> None:
    for i, adapter in enumerate(ids):
        if adapter >= 0:
            low = a[adapter].astype(np.float64) @ x[i].astype(np.float64)
            added = float(scales[adapter]) * (b[adapter].astype(np.float64) @ low)
            y[i] = (y[i].astype(np.float64) + added).astype(y.dtype)
