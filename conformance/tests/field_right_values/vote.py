# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


class Options(TypedDict):
    share: NotRequired[bool]
    cap: NotRequired[Annotated[float, Range(0, 10)]]


@kernel(
    parameters={"options": {"other_keys": "refused"}},
    calls=[
        {
            "arguments": {
                "ballots": {"ann": [[0, 1.0], [2, 20.0]], "bob": [], "eve": [[2, 3.0]]},
                "n": 3,
                "options": {"cap": 10.0},
            },
            "expected": {"result[0]": "[1, 0, 13]", "result[1].ann": "2", "result[1].bob": "0"},
        },
        {
            "arguments": {"ballots": {}, "n": 2, "options": {"share": True}},
            "refused": {"kind": "ValueError", "message": "no votes"},
        },
        {
            "arguments": {"ballots": {"ann": [[2, 1.0]]}, "n": 2, "options": {}},
            "refused": {"kind": "IndexError"},
        },
    ],
    promises=["repeatable"],
)
def vote(
    ballots: dict[
        str, list[tuple[Annotated[int, Range(0, "n - 1")], Annotated[float, Range(0, 100)]]]
    ],
    n: Annotated[int, Range(1, 64)],
    options: Options,
) -> tuple[Tensor[np.float64, "n"], dict[str, int]]:
    sums = np.zeros(n)
    for ballot in ballots.values():
        for who, weight in ballot:
            sums[who] += min(weight, options.get("cap", np.inf))
    if options.get("share", False):
        if sums.sum() == 0:
            raise ValueError("no votes to share")
        sums = sums / sums.sum()
    return sums, {name: len(ballot) for name, ballot in ballots.items()}
