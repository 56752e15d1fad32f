# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.int32, np.int64)

LEFT = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5], np.int64)
RIGHT = np.array([5, 1, 1, 7, 3], np.int64)


def bits(valid, n):
    if valid is None:
        return np.ones(n, bool)
    return np.unpackbits(valid, count=n, bitorder="little").astype(bool)


@kernel(
    sizes={"n": [6, 0, 1, 17], "m": [5, 0, 9]},
    parameters={
        "left": {"layout": "contiguous"},
        "right": {"layout": "contiguous"},
        "left_valid": {"layout": "contiguous"},
        "right_valid": {"layout": "contiguous"},
    },
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "left": LEFT,
                "right": RIGHT,
                "how": how,
                "left_valid": lv,
                "right_valid": rv,
                "null_equal": eq,
                "max_rows": None,
            }
        }
        for how, lv, rv, eq in [
            ("inner", None, None, False),
            ("left", None, np.array([0b11101], np.uint8), False),
            ("semi", np.array([0b01011101, 1], np.uint8), None, True),
            ("anti", np.array([0b11011101, 0], np.uint8), np.array([0b10111], np.uint8), True),
            ("left", np.array([0b01011101, 1], np.uint8), np.array([0b10101], np.uint8), True),
        ]
    ]
    + [
        {
            "arguments": {
                "left": np.array([7, 7, -1], np.int32),
                "right": np.array([7, -1, 7], np.int32),
                "how": how,
                "left_valid": None,
                "right_valid": None,
                "null_equal": False,
                "max_rows": most,
            },
            **({"refused": {"kind": "ValueError"}} if refused else {}),
        }
        for how, most, refused in [
            ("inner", 5, False),
            ("inner", 4, True),
            ("inner", 0, True),
            ("semi", 3, False),
            ("anti", 0, False),
            ("left", -1, True),
        ]
    ]
    + [
        {
            "arguments": {
                "left": np.array([1, 2**32 + 1, -(2**63)], np.int64),
                "right": np.array([2**32 + 1, 0, 1], np.int64),
                "how": "inner",
                "left_valid": None,
                "right_valid": None,
                "null_equal": False,
                "max_rows": None,
            },
            "expected": {"result[0]": "array([0, 1])", "result[1]": "array([2, 0])"},
        }
    ],
)
def hash_join(
    left: Tensor[T, "n"],
    right: Tensor[T, "m"],
    how: Literal["inner", "left", "semi", "anti"],
    left_valid: Optional[Tensor[np.uint8, "(n+7)//8"]],
    right_valid: Optional[Tensor[np.uint8, "(m+7)//8"]],
    null_equal: bool,
    max_rows: Optional[Annotated[int, Examples(1000), Range(0)]],
) -> tuple[Tensor[np.int64, "_"], Tensor[np.int64, "_"]]:
    lv, rv = bits(left_valid, len(left)), bits(right_valid, len(right))
    rows = []
    for i in range(len(left)):
        if lv[i]:
            found = [j for j in range(len(right)) if rv[j] and right[j] == left[i]]
        else:
            found = [j for j in range(len(right)) if not rv[j]] if null_equal else []
        if how in ("inner", "left"):
            rows += [(i, j) for j in found]
        elif how == "semi" and found:
            rows.append((i, found[0]))
        if how in ("left", "anti") and not found:
            rows.append((i, -1))
    if max_rows is not None and len(rows) > max_rows:
        raise ValueError("too many rows")
    out = np.array(rows, np.int64).reshape(-1, 2)
    return out[:, 0].copy(), out[:, 1].copy()
