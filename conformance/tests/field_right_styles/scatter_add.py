# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float64, np.int64)


@kernel(
    sizes={"n": [5, 1], "m": [8, 1, 0], "d": [3, 1]},
    promises=["atomic", "repeatable"],
    refuses=[{"when": "min(index) < 0", "kind": "IndexError", "message": "is outside"}],
    calls=[
        {
            "arguments": {
                "y": np.array([[1], [2], [3]], np.int64),
                "index": np.array([2, 0, 2], np.int32),
                "src": np.array([[10], [20], [30]], np.int64),
            },
            "expected": {"y": "[[21], [2], [43]]"},
        }
    ],
)
def scatter_add(
    y: InOut[Tensor[T, "n d"]],
    index: Annotated[Tensor[(np.int32, np.int64), "m"], Range(0, "n - 1")],
    src: Tensor[T, "m d"],
) -> None:
    np.add.at(y, index, src)
