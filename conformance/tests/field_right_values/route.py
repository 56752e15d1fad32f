# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(
    sizes={"n": [3, 1, 0, 6], "d": [4, 1]},
    parameters={"ids": {"length": "n"}},
    promises=["fresh", "repeatable"],
    tolerance={"float32": 1e-6},
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 2], [3, 4]], np.float32),
                "ids": [5, 0],
                "table": {
                    "0": {"elements": [2, 2]},
                    "5": {"elements": [10, -1]},
                },
                "strict": True,
            },
            "expected": {"result": "[[10, -2], [6, 8]]"},
        },
        {
            "arguments": {
                "x": np.array([[1, 2]], np.float32),
                "ids": [4],
                "table": {"3": {"elements": [2, 2]}},
                "strict": True,
            },
            "refused": {"kind": "KeyError", "message": "no expert 4"},
        },
        {
            "arguments": {
                "x": np.array([[1, 2]], np.float32),
                "ids": [4],
                "table": {"3": {"elements": [2, 2]}},
                "strict": False,
            },
        },
    ],
)
def route(
    x: Tensor[np.float32, "n d"],
    ids: list[Annotated[int, Range(0, 7)]],
    table: dict[int, Tensor[np.float32, "d"]],
    strict: bool,
) -> Tensor[np.float32, "n d"]:
    out = np.zeros_like(x)
    for i, expert in enumerate(ids):
        if expert in table:
            out[i] = x[i] * table[expert]
        elif strict:
            raise KeyError(f"no expert {expert}")
    return out
