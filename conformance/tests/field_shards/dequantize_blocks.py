# SPDX-License-Identifier: Apache-2.0
"""Dequantizes 4-bit values that are packed two in a byte, with one scale for each block of a row."""

from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

STRIDED = {"layout": "strided", "device": "cpu"}
COMPACT = {"layout": "contiguous", "device": "cpu"}

FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float64)
NF4 = np.array(
    [
        -1.0, -0.69619280, -0.52507305, -0.39491749, -0.28444138, -0.18477343, -0.09105004, 0.0,
        0.07958030, 0.16093020, 0.24611230, 0.33791524, 0.44070983, 0.56261700, 0.72295684, 1.0,
    ]
)  # fmt: skip


@kernel(
    sizes={"m": [3, 1, 0], "k": [12, 24, 48]},
    where=[
        "k % 2 == 0",
        "k % block == 0",
        'zeros is None or format == "uint4"',
    ],
    refuses=[
        {"when": "k % block != 0", "kind": "ValueError", "message": "block must divide"},
        {
            "when": 'zeros is not None and format != "uint4"',
            "kind": "ValueError",
            "message": "zeros must be None",
        },
    ],
    tolerance={"float32": 1e-6, "float16": 1e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
)
def dequantize_blocks(
    q: Tensor[np.uint8, "m k//2", COMPACT],
    scales: Tensor[(np.float32, np.float16, "bfloat16"), "m k//block", STRIDED],
    zeros: Optional[Annotated[Tensor[np.uint8, "m k//block", COMPACT], Range(0, 15)]],
    format: Literal["int4", "uint4", "fp4", "nf4"],
    block: Annotated[int, Examples(4, 3, 2, 12), Range(1)],
    out: Out[Tensor[(np.float32, np.float16, "bfloat16"), "m k", COMPACT]],
) -> None:
    m, k = out.shape
    code = np.stack([q & 15, q >> 4], axis=-1).reshape(m, k).astype(np.int64)
    if format == "int4":
        value = np.where(code >= 8, code - 16, code).astype(np.float64)
    elif format == "uint4":
        zero = 8 if zeros is None else np.repeat(zeros.astype(np.int64), block, axis=1)
        value = (code - zero).astype(np.float64)
    else:
        value = (FP4 if format == "fp4" else NF4)[code]
    scale = np.repeat(scales.astype(np.float64), block, axis=1)
    out[...] = (value * scale).astype(np.float32).astype(out.dtype)
