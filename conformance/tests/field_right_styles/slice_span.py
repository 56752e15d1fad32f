# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.int32)


@kernel(
    sizes={"n": [9, 1, 0], "d": [4, 1]},
    where=["span[0] <= span[1]"],
    tolerance=0,
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "x": np.arange(10, dtype=np.int32).reshape(5, 2),
                "span": [1, 5],
                "step": 3,
            },
            "expected": {"result": "array([[2, 3], [8, 9]])"},
        },
        {"arguments": {"span": [2, 1]}, "refused": {"kind": "IndexError", "message": "span 2, 1"}},
    ],
)
def slice_span(
    x: Tensor[T, "n d", {"layout": "strided"}],
    span: tuple[Annotated[int, Range(0, "n")], Annotated[int, Range(0, "n")]],
    step: Optional[Annotated[int, Range(1, 16)]],
) -> Tensor[T, "_ d"]:
    return x[span[0] : span[1] : 1 if step is None else step].copy()
