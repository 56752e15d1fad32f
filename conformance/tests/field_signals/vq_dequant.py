# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)
C = TypeVar("C", np.uint8, np.int32)


@kernel(
    sizes={
        "rows": [3, 1, 0, 40],
        "groups": [4, 16],
        "width": [8, 3],
        "entries": [16, 256],
        "p": [2, 1, 3],
    },
    parameters={
        "codes": {"layout": "contiguous"},
        "codebooks": {"length": "p"},
        "scales": {"layout": "contiguous"},
        "out": {"layout": "contiguous"},
    },
    promises=["atomic", "repeatable"],
    tolerance={"float32": 1e-5, "float16": 2e-3},
    calls=[
        {
            "arguments": {
                "codes": np.array([[[0, 2], [1, 1]]], np.int32),
                "codebooks": [
                    np.array([[1, 2], [3, 4], [5, 6]], np.float32),
                    np.array([[10, 20], [30, 40], [50, 60]], np.float32),
                ],
                "scales": np.array([0.5], np.float32),
                "out": {"shape": [1, 4]},
            },
            "expected": {"out": "[[25.5, 31, 16.5, 22]]"},
        },
        {
            "arguments": {
                "codes": np.array([[[0, 2], [1, -1]]], np.int32),
                "codebooks": [
                    np.array([[1, 2], [3, 4], [5, 6]], np.float32),
                    np.array([[10, 20], [30, 40], [50, 60]], np.float32),
                ],
                "scales": None,
                "out": {"shape": [1, 4]},
            },
            "refused": {"kind": "IndexError"},
        },
    ],
    text="Additive vector quantization: each group of weights is the sum of one row of each codebook",
)
def vq_dequant(
    codes: Annotated[Tensor[C, "rows groups p"], Range(0, "entries - 1")],
    codebooks: list[Tensor[T, "entries width", {"layout": "contiguous"}]],
    scales: Optional[Tensor[T, "rows"]],
    out: Out[Tensor[T, "rows groups*width"]],
) -> None:
    total = sum(b.astype(np.float32)[codes[:, :, k]] for k, b in enumerate(codebooks))
    if scales is not None:
        total = total * scales.astype(np.float32)[:, None, None]
    out[...] = total.reshape(out.shape)
