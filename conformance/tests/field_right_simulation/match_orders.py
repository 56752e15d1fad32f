# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypedDict, Union

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, Values, kernel

I64 = np.int64


class Summary(TypedDict):
    volume: int
    notional: int
    trades: int


@kernel(
    sizes={"n": [8, 0, 1, 40]},
    promises=["atomic", "repeatable", "fresh"],
    refuses=[{"with": {"life": "gtc"}, "kind": "ValueError", "message": "day"}],
    calls=[
        {
            "arguments": {
                "side": np.array([-1, -1, 1], np.int8),
                "price": np.array([11, 10, 12], I64),
                "qty": np.array([5, 5, 7], I64),
                "life": "day",
                "fills": {"shape": [3]},
            },
            "expected": {
                "fills": "[2, 5, 7]",
                "result.volume": "7",
                "result.notional": "72",
                "result.trades": "2",
            },
        },
        {
            "text": "the better price is gone after a turn",
            "arguments": {
                "side": np.array([-1, -1, 1], np.int8),
                "price": np.array([10, 11, 12], I64),
                "qty": np.array([5, 5, 7], I64),
                "life": 1,
                "fills": {"shape": [3]},
            },
            "expected": {"fills": "[0, 5, 5]", "result.notional": "55"},
        },
    ],
)
def match_orders(
    side: Annotated[Tensor[np.int8, "n"], Values(-1, 1)],
    price: Annotated[Tensor[I64, "n"], Range(1, 1000000)],
    qty: Annotated[Tensor[I64, "n"], Range(1, 1000000)],
    life: Union[Annotated[int, Range(least=0)], Literal["day", "ioc"]],
    fills: Out[Tensor[I64, "n"]],
) -> Summary:
    turns = {"day": 2**62, "ioc": 0}[life] if isinstance(life, str) else life
    left = [int(v) for v in qty]
    sums = {"volume": 0, "notional": 0, "trades": 0}
    for i in range(len(left)):
        s = int(side[i])
        there = [
            j
            for j in range(max(0, i - turns), i)
            if left[j] and side[j] == -s and s * int(price[j]) <= s * int(price[i])
        ]
        for j in sorted(there, key=lambda j: (s * int(price[j]), j)):
            some = min(left[i], left[j])
            if not some:
                break
            left[i] -= some
            left[j] -= some
            sums["volume"] += some
            sums["notional"] += some * int(price[j])
            sums["trades"] += 1
    fills[...] = qty - np.array(left, I64)
    return sums
