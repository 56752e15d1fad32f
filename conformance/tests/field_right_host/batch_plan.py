# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, TypedDict

from tvmffi_conform.kernels import Examples, Range, Shape, kernel


class Options(TypedDict):
    sort: NotRequired[bool]
    max_items: NotRequired[Annotated[int, Examples(2), Range(1)]]


class Plan(TypedDict):
    order: Shape
    starts: list[int]
    padded: int


@kernel(
    parameters={"options": {"other_keys": "refused"}},
    promises=["repeatable", "atomic"],
    calls=[
        {"arguments": {"lengths": [3, 9, 4, 9, 1], "max_tokens": 20, "options": {}}},
        {"arguments": {"lengths": [3, 9, 4, 9, 1], "max_tokens": 20, "options": {"sort": False}}},
        {"arguments": {"lengths": [5, 5, 5], "max_tokens": 100, "options": {"max_items": 1}}},
        {"arguments": {"lengths": [], "max_tokens": 1, "options": {}}},
        {
            "arguments": {"lengths": [3, 30], "max_tokens": 20, "options": {}},
            "refused": {"kind": "ValueError", "message": "fits nowhere"},
        },
    ],
)
def plan_batches(
    lengths: list[Annotated[int, Range(1, "max_tokens")]],
    max_tokens: Annotated[int, Examples(64), Range(1, 2**31)],
    options: Options,
) -> Plan:
    order = list(range(len(lengths)))
    if options.get("sort", True):
        order.sort(key=lambda i: -lengths[i])
    batches: list[list[int]] = []
    starts = []
    for at, i in enumerate(order):
        grown = batches[-1] + [lengths[i]] if batches else []
        if (
            not grown
            or len(grown) > options.get("max_items", 2**31)
            or max(grown) * len(grown) > max_tokens
        ):
            batches.append([lengths[i]])
            starts.append(at)
        else:
            batches[-1] = grown
    return {
        "order": tuple(order),
        "starts": starts,
        "padded": sum(max(b) * len(b) for b in batches),
    }
