# SPDX-License-Identifier: Apache-2.0
"""Puts samples together to batches of limited cost, for a data loader."""

from typing import Annotated, Callable, NotRequired, Optional, TypedDict

from tvmffi_conform.kernels import Examples, Range, kernel


class Options(TypedDict):
    max_samples: NotRequired[Annotated[int, Examples(2, 3), Range(1)]]
    sort: NotRequired[bool]
    drop_last: NotRequired[bool]


def call(lengths, max_cost, options, does=None, **more):
    arguments = {
        "lengths": lengths,
        "cost": None if does is None else {"does": does},
        "max_cost": max_cost,
        "options": options,
    }
    return {"arguments": arguments, **more}


@kernel(
    text="samples in the order of their batches, and the ends of the batches behind a 0",
    parameters={
        "cost": {"parameters": [{"name": "length", "kind": "int"}], "does": "2 * length + 1"},
        "lengths": {"length": "n"},
        "options": {"other_keys": "refused"},
    },
    sizes={"n": [6, 0, 1, 25]},
    where=[
        'options["drop_last"] is None or not options["drop_last"] or '
        'options["max_samples"] is not None'
    ],
    promises=["repeatable"],
    calls=[
        call([3, 1, 4, 1, 5, 2], 8, {}),
        call([3, 1, 4, 1, 5, 2], 8, {"sort": True}),
        call([3, 1, 4, 1, 5, 2], 100, {"max_samples": 3, "drop_last": True}),
        call([3, 1, 4, 1, 5], 100, {"max_samples": 3, "drop_last": True}),
        call([3, 1, 4, 1, 5], 100, {"max_samples": 3, "drop_last": False}),
        call([3, 1, 4, 1, 5], 11, {}, ["2 * length + 1"]),
        call([0, 0, 0, 7], 7, {"max_samples": 2}),
        call([2**62, 2**62, 2**62 - 1, 2**62], 2**63 - 1, {}),
        call([3, 1, 9], 8, {}, refused={"kind": "ValueError", "message": "cost of a sample"}),
        call(
            [3, 1],
            8,
            {},
            ["length", "-1"],
            refused={"kind": "ValueError", "message": "cost of a sample"},
        ),
        call(
            [3, 1],
            8,
            {"drop_last": True},
            refused={"kind": "ValueError", "message": "needs max_samples"},
        ),
    ],
)
def batch_sampler(
    lengths: list[Annotated[int, Examples(3, 1, 4, 0, 5), Range(0)]],
    cost: Optional[Callable[[int], int]],
    max_cost: Annotated[int, Examples(20, 11, 64), Range(1)],
    options: Options,
) -> tuple[list[int], list[int]]:
    costs = [n if cost is None else cost(n) for n in lengths]
    for c in costs:
        if not 0 <= c <= max_cost:
            raise ValueError("cost of a sample")
    order = list(range(len(lengths)))
    if options.get("sort"):
        order.sort(key=lambda i: -lengths[i])
    most = options.get("max_samples")
    batches, batch = [], []
    for i in order:
        total = sum(costs[k] for k in batch) + costs[i]
        if batch and (total > max_cost or len(batch) == most):
            batches.append(batch)
            batch = []
        batch.append(i)
    if batch and not (options.get("drop_last") and len(batch) < most):
        batches.append(batch)
    ends = [0]
    for b in batches:
        ends.append(ends[-1] + len(b))
    return [i for b in batches for i in b], ends
