# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")


@kernel(
    sizes={"rows": [3, 1, 0], "cols": [8, 1, 100, 0]},
    promises=["fresh", "atomic", "repeatable"],
    calls=[
        {
            "arguments": {"x": np.array([[0, 0], [-2, 1]], np.float32), "bits": 8},
            "expected": {
                "result[0]": "array([[0, 0], [-127, 64]])",
                "result[1]": "array([0, 2 / 127])",
            },
        },
        {
            "arguments": {"x": np.array([[0, np.nan]], np.float32), "bits": 8},
            "refused": {"kind": "ValueError", "message": "not finite"},
        },
    ],
)
def quantize_rows(
    x: Tensor[T, "rows cols", {"layout": "strided", "device": "cpu"}],
    bits: Annotated[int, Examples(8, 4), Range(2, 8)],
) -> tuple[Tensor[np.int8, "rows cols"], Tensor[np.float32, "rows"]]:
    wide = x.astype(np.float64)
    if not np.isfinite(wide).all():
        raise ValueError("not finite")
    top = 2 ** (bits - 1) - 1
    amax = np.abs(wide).max(axis=1, initial=0)
    q = np.rint(wide * top / np.where(amax == 0, 1, amax)[:, None])
    return q.astype(np.int8), (amax / top).astype(np.float32)
