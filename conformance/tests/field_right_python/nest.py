# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, Union

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

End = Annotated[int, Range(0, 100)]


@kernel(
    promises=["repeatable", "atomic"],
    calls=[
        {
            "arguments": {"spans": [[3, 5], [1, 1]], "move": [2, "left"]},
            "expected": {"result": "(-1, 3)"},
        },
        {"arguments": {"spans": [], "move": [0, "right"]}},
        {
            "arguments": {"spans": [[3, 5], [2, 1]], "move": [2, "left"]},
            "refused": {"kind": "ValueError", "message": "ends before"},
        },
    ],
)
def cover(
    spans: list[tuple[End, End]],
    move: tuple[Annotated[int, Range(-50, 50)], Literal["left", "right"]],
) -> Optional[tuple[int, int]]:
    if any(a > b for a, b in spans):
        raise ValueError("a span ends before it starts")
    if len(spans) == 0:
        return None
    by = -move[0] if move[1] == "left" else move[0]
    return min(a for a, _ in spans) + by, max(b for _, b in spans) + by


@kernel(tolerance=1e-9, calls=[{"arguments": {"groups": {"a": [0.5, 1, -4], "": []}}}])
def totals(groups: dict[str, list[float]]) -> dict[str, float]:
    sums = {}
    for key, values in groups.items():
        total = 0.0
        for v in values:
            total += v
        sums[key] = total
    return sums


@kernel(
    calls=[
        {"arguments": {"items": [1, "two", 3], "sep": "-"}, "expected": {"result": '"1-two-3"'}},
        {"arguments": {"items": [1, 20, -3], "sep": None}, "expected": {"result": "18"}},
        {"arguments": {"items": [1, 1001], "sep": None}, "refused": {"kind": "ValueError"}},
    ]
)
def describe(
    items: list[Union[Annotated[int, Range(-1000, 1000)], str]], sep: Optional[str]
) -> Union[str, int]:
    if all(isinstance(i, int) for i in items):
        return sum(items)
    return (", " if sep is None else sep).join(map(str, items))


@kernel(
    sizes={"n": [4, 0]},
    promises=["atomic"],
    calls=[
        {
            "arguments": {
                "xs": [np.array([1, 2], np.float32), None, np.array([10, 20], np.float32)],
                "out": {"shape": [2]},
            },
            "expected": {"out": "[11, 22]"},
        }
    ],
)
def add_all(xs: list[Optional[Tensor[np.float32, "n"]]], out: Out[Tensor[np.float32, "n"]]) -> None:
    total = np.zeros(out.shape)
    with np.errstate(all="ignore"):
        for x in xs:
            if x is not None:
                total += x
        out[...] = total
