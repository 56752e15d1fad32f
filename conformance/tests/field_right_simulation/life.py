# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, NotRequired, Optional, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

U8 = np.uint8
Count = Annotated[int, Range(0, 8)]


class Rule(TypedDict):
    birth: NotRequired[list[Count]]
    survive: NotRequired[list[Count]]


BLINKER = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], U8)


@kernel(
    sizes={"h": [5, 1, 0], "w": [4, 1]},
    parameters={"out": {"alias": "grid"}, "rule": {"other_keys": "refused"}},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "grid": BLINKER,
                "steps": 1,
                "edge": "dead",
                "rule": None,
                "out": {"shape": [3, 3]},
            },
            "expected": {"out": "[[0, 1, 0], [0, 1, 0], [0, 1, 0]]", "result": "3"},
        },
        {
            "arguments": {
                "grid": BLINKER,
                "steps": 2,
                "edge": "dead",
                "rule": {"birth": [], "survive": [1, 2, 8]},
                "out": {"shape": [3, 3]},
            },
            "expected": {"out": "grid", "result": "sum(grid)"},
        },
        {
            "arguments": {
                "grid": 2 * BLINKER,
                "steps": 1,
                "edge": "wrap",
                "rule": None,
                "out": {"shape": [3, 3]},
            },
            "refused": {"kind": "ValueError", "message": "neither 0 nor 1"},
        },
    ],
)
def life(
    grid: Annotated[Tensor[U8, "h w"], Range(0, 1)],
    steps: Annotated[int, Examples(1, 3), Range(0, 64)],
    edge: Literal["wrap", "dead"],
    rule: Optional[Rule],
    out: Out[Tensor[U8, "h w"]],
) -> int:
    rule = {"birth": [3], "survive": [2, 3]} if rule is None else rule
    now = grid.astype(np.int64)
    h, w = now.shape
    for _ in range(steps if now.size else 0):
        big = np.pad(now, 1, mode="wrap" if edge == "wrap" else "constant")
        around = sum(big[r : r + h, c : c + w] for r in range(3) for c in range(3)) - now
        born = np.isin(around, rule.get("birth", []))
        stay = np.isin(around, rule.get("survive", []))
        now = np.where(now == 1, stay, born).astype(np.int64)
    out[...] = now
    return int(now.sum())
