# SPDX-License-Identifier: Apache-2.0
from typing import TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int16)


@kernel(
    sizes={"d": [4, 1]},
    parameters={"parts": {"counts": [2, 1, 5]}},
    where=["len(parts) >= 1"],
    tolerance=0,
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "parts": [np.array([[1, 2]], np.int16), np.array([[3, 4], [5, 6]], np.int16)]
            },
            "expected": {"result": "[[1, 2], [3, 4], [5, 6]]"},
        },
        {"arguments": {"parts": []}, "refused": {"kind": "TypeError", "message": "at least one"}},
    ],
)
def concat_rows(*parts: Tensor[T, "_ d", {"layout": "rows"}]) -> Tensor[T, "_ d"]:
    return np.concatenate(parts)
