# SPDX-License-Identifier: Apache-2.0
import re
from typing import Annotated, Literal, Optional, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

Text = Annotated[
    str,
    Examples("", "kitten", "sitting", "héllo wörld", "the cat  sat ", "the cat is 日本", "a b c d"),
]
Cost = Annotated[int, Examples(1, 2, 5), Range(0, 1000)]


class Totals(TypedDict):
    total: int
    exact: int
    units: int


def arguments(**more):
    return {
        "hyps": ["kitten", "日本", "the  cat sat "],
        "refs": ["sitting", "日本語", "a cat sat on"],
        "unit": "chars",
        "costs": [1, 2, 3],
        "out": {"shape": [3]},
        "rates": {"shape": [3]},
    } | more


@kernel(
    sizes={"p": [2, 1, 0, 5]},
    promises=["atomic", "repeatable"],
    parameters={"hyps": {"length": "p"}, "refs": {"length": "p"}},
    calls=[
        {"arguments": arguments()},
        {"arguments": arguments(unit="words")},
        {"arguments": arguments(unit="bytes", rates=None)},
        {"arguments": arguments(unit="words", costs=None)},
        {"arguments": arguments(hyps=["", "", "x"], refs=["", "abc", ""], costs=None)},
        {
            "arguments": arguments(unit="lines"),
            "refused": {"kind": "ValueError", "message": "unknown unit"},
        },
        {"arguments": arguments(costs=[1, -1, 1]), "refused": {"kind": "ValueError"}},
        {"arguments": arguments(costs=[1, 1001, 1]), "refused": {"kind": "ValueError"}},
        {"arguments": arguments(refs=["a", "b"]), "refused": {"kind": "ValueError"}},
        {"arguments": arguments(refs=["a", "b", "c", "d"]), "refused": {"kind": "ValueError"}},
    ],
)
def edit_distance(
    hyps: list[Text],
    refs: list[Text],
    unit: Literal["chars", "words", "bytes"],
    costs: Optional[tuple[Cost, Cost, Cost]],
    out: Out[Tensor[(np.int32, np.int64), "p"]],
    rates: Optional[Out[Tensor[np.float32, "p"]]],
) -> Totals:
    ins, dele, sub = costs if costs is not None else (1, 1, 1)

    def split(s):
        return (
            list(s)
            if unit == "chars"
            else [w for w in re.split("[ \t\n\r]+", s) if w]
            if unit == "words"
            else list(s.encode())
        )

    result = {"total": 0, "exact": 0, "units": 0}
    for k, (h, r) in enumerate(zip(map(split, hyps), map(split, refs))):
        row = [j * dele for j in range(len(r) + 1)]
        for i, a in enumerate(h, 1):
            above, row = row, [i * ins]
            for j, b in enumerate(r, 1):
                row.append(min(above[j - 1] + (a != b) * sub, above[j] + ins, row[j - 1] + dele))
        out[k] = row[-1]
        if rates is not None:
            rates[k] = row[-1] / max(len(r), 1)
        result["total"] += row[-1]
        result["exact"] += h == r
        result["units"] += len(r)
    return result
