# SPDX-License-Identifier: Apache-2.0
from typing import Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.int32, np.int64)


@kernel(
    sizes={"n": [7, 0, 1, 100], "m": [3, 0, 1]},
    where=["table[1:] >= table[:-1]"],
    refuses=[{"with": {"side": "middle"}, "kind": "ValueError", "message": "side"}],
    promises=["repeatable", "atomic"],
    calls=[
        {
            "arguments": {
                "table": np.array([1, 2, 2, 5], np.float32),
                "queries": np.array([2, 0, np.nan, np.inf, 5], np.float32),
                "side": side,
                "out": {"shape": [5]},
            }
        }
        for side in ("left", "right")
    ],
)
def sorted_find(
    table: Tensor[T, "n"],
    queries: Tensor[T, "m"],
    side: Literal["left", "right"],
    out: Out[Tensor[np.int64, "m"]],
) -> None:
    out[...] = np.searchsorted(table, queries, side)
