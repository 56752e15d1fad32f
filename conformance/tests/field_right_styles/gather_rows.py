# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, np.int64, np.uint8)


@kernel(
    sizes={"n": [6, 1], "d": [4, 1, 33], "m": [5, 1, 0]},
    tolerance=0,
    # It moves rows of further types, too.
    checks=["arity", "kind", "rank", "shape", "device", "layout", "value"],
    promises=["repeatable", "fresh", "atomic"],
    refuses=[{"when": "max(rows) >= n", "kind": "IndexError", "message": "of a table of"}],
    calls=[
        {
            "arguments": {
                "table": np.array([[1, 2], [3, 4], [5, 6]], np.uint8),
                "rows": np.array([-1, 0, -3], np.int32),
            },
            "text": "numbers below 0 count from the end",
        },
        {
            "arguments": {"table": np.zeros((0, 3), np.float32), "rows": np.array([0], np.int64)},
            "refused": {"kind": "IndexError"},
        },
    ],
)
def gather_rows(
    table: Tensor[T, "n d"],
    rows: Annotated[Tensor[(np.int32, np.int64), "m"], Range("-n", "n - 1")],
) -> Tensor[T, "m d"]:
    return table[rows]
