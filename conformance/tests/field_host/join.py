# SPDX-License-Identifier: Apache-2.0
from typing import Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

T = TypeVar("T", np.int32, np.int64, np.uint8, np.float32)


@kernel(
    sizes={"n": [7, 0, 1, 300]},
    tolerance=0,
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "x": {"elements": [1.5, -2, "nan", 0, -1, "nan", -2, "-inf"], "dtype": "float32"},
                "return_inverse": True,
                "return_counts": True,
            },
            "expected": {
                "result[0]": "[-inf, -2, -1, 0, 1.5, nan]",
                "result[1]": "[4, 1, 5, 3, 2, 5, 1, 0]",
                "result[2]": "[1, 2, 1, 1, 1, 2]",
            },
        },
        {
            "arguments": {
                "x": {"elements": [5, -7, 5, -2147483648], "dtype": "int32"},
                "return_inverse": False,
                "return_counts": True,
            },
            "expected": {
                "result[0]": "[-2147483648, -7, 5]",
                "result[1]": "None",
                "result[2]": "[1, 1, 2]",
            },
        },
    ],
)
def unique(
    x: Tensor[T, "n", {"layout": "contiguous"}], return_inverse: bool, return_counts: bool
) -> tuple[Tensor[T, "_"], Optional[Tensor[np.int64, "_"]], Optional[Tensor[np.int64, "_"]]]:
    x = x + x.dtype.type(0)  # no -0
    values, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return (
        values,
        inverse.reshape(-1).astype(np.int64) if return_inverse else None,
        counts.astype(np.int64) if return_counts else None,
    )


@kernel(
    sizes={"n": [5, 0, 200], "m": [4, 0, 150]},
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "left": {"elements": [3, 1, 7, 1]},
                "right": {"elements": [1, 3, 1]},
                "how": "left",
            },
            "expected": {"result[0]": "[0, 1, 1, 2, 3, 3]", "result[1]": "[1, 0, 2, -1, 0, 2]"},
        },
        {
            "arguments": {
                "left": {"elements": [1, 4294967297, -1]},
                "right": {"elements": [4294967297, 4294967295]},
                "how": "inner",
            },
            "expected": {"result[0]": "[1]", "result[1]": "[0]"},
        },
        {
            "arguments": {"left": {"elements": [1, 2]}, "right": {"elements": [2]}, "how": "anti"},
            "expected": {"result[0]": "[0]", "result[1]": "[-1]"},
        },
        {
            "arguments": {"left": {"elements": [1, 2]}, "right": {"elements": [2]}, "how": "outer"},
            "refused": {"kind": "ValueError", "message": "how must be"},
        },
    ],
)
def hash_join(
    left: Tensor[np.int64, "n", {"layout": "contiguous"}],
    right: Tensor[np.int64, "m", {"layout": "contiguous"}],
    how: Literal["inner", "left", "anti"],
) -> tuple[Tensor[np.int64, "_"], Tensor[np.int64, "_"]]:
    li, ri = [], []
    for i, a in enumerate(left):
        hits = [j for j, b in enumerate(right) if a == b]
        if how == "anti":
            hits = [] if hits else [-1]
        elif how == "left" and not hits:
            hits = [-1]
        li += [i] * len(hits)
        ri += hits
    return np.array(li, np.int64), np.array(ri, np.int64)
