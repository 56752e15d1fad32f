# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Optional

from tvmffi_conform.kernels import Examples, Range, kernel


@kernel(
    parameters={"f": {"does": "x * x * x - 2"}},
    where=["low < high"],
    tolerance=1e-6,
    refuses=[
        {"with": {"low": 2, "high": 4}, "kind": "ValueError", "message": "same sign"},
        {"with": {"low": "nan"}, "kind": "ValueError"},
    ],
    calls=[
        {
            "arguments": {"f": {"does": ["-1", "1", "0"]}, "low": 2, "high": 4, "width": None},
            "expected": {"result": "3"},
        },
        {
            "arguments": {"f": {"does": ["-1", "1", "nan"]}, "low": 2, "high": 4},
            "refused": {"kind": "ArithmeticError", "message": "not a number"},
        },
        {
            "arguments": {"f": {"does": ["x - 1"]}, "low": 1, "high": 4, "width": 0.5},
            "expected": {"result": "low"},
        },
    ],
)
def bisect_root(
    f: Callable[[float], float],
    low: Annotated[float, Examples(0, -1, 1.25)],
    high: Annotated[float, Examples(2, 1.5, 10)],
    width: Optional[Annotated[float, Examples(1e-9, 0.5), Range(0)]],
) -> float:
    if not low < high:
        raise ValueError("order")
    a, b = f(low), f(high)
    if a == 0:
        return low
    if b == 0:
        return high
    if (a < 0) == (b < 0):
        raise ValueError("the same sign")
    while True:
        root = low / 2 + high / 2
        if root <= low or root >= high or high / 2 - low / 2 <= (width or 0) / 2:
            return root
        y = f(root)
        if y == 0:
            return root
        if (y < 0) == (a < 0):
            low = root
        else:
            high = root
