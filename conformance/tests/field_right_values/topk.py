# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"n": [5, 1, 64]},
    refuses=[
        {"when": "k > n", "kind": "ValueError", "message": "k must be"},
        {"with": {"k": 0}, "kind": "ValueError"},
    ],
    promises=["atomic", "repeatable", "fresh"],
    tolerance=0,
    calls=[
        {
            "arguments": {
                "x": np.array([2, 3, 2, 3, 1], np.float32),
                "k": 3,
                "largest": True,
                "rest": {"shape": [2]},
            },
            "expected": {"result[0]": "[3, 3, 2]", "result[1]": "[1, 3, 0]", "rest": "[2, 4]"},
        },
        {
            "arguments": {
                "x": {"elements": ["nan", 1, "inf"], "dtype": "float64"},
                "k": 3,
                "largest": True,
                "rest": {"shape": [0]},
            },
            "expected": {"result[1]": "[2, 1, 0]"},
        },
    ],
)
def topk(
    x: Tensor[T, "n"],
    k: Annotated[int, Range(1, "n")],
    largest: bool,
    rest: Optional[Out[Tensor[np.int64, "n-k"]]],
) -> tuple[Tensor[T, "k"], Tensor[np.int64, "k"]]:
    order = np.argsort(-x if largest else x, kind="stable")
    if rest is not None:
        rest[...] = order[k:]
    return x[order[:k]], order[:k].astype(np.int64)
