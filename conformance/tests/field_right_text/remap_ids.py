# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Tensor, kernel

Id = TypeVar("Id", np.int32, np.int64)
TABLE = {3: 30, -4: 1 << 40, 5_000_000_000: -1}


@kernel(
    sizes={"n": [6, 0, 1, 50]},
    promises=["atomic", "repeatable"],
    parameters={"out": {"alias": "ids"}},
    calls=[
        {
            "arguments": {
                "ids": np.array([3, 5_000_000_000, 3, -4], np.int64),
                "table": TABLE,
                "fallback": None,
                "out": {"shape": [4]},
            },
            "expected": {"out": "[30, -1, 30, 1099511627776]", "result": "0"},
        },
        {
            "arguments": {
                "ids": np.array([3, 8, -4, 0], np.int32),
                "table": TABLE,
                "fallback": -7,
                "out": {"shape": [4]},
            },
            "expected": {"out": "[30, -7, 1099511627776, -7]", "result": "2"},
        },
        {
            "arguments": {
                "ids": np.array([3, 8], np.int32),
                "table": TABLE,
                "fallback": None,
                "out": {"shape": [2]},
            },
            "refused": {"kind": "KeyError", "message": "nothing for 8"},
        },
        {
            "arguments": {
                "ids": np.array([], np.int64),
                "table": {},
                "fallback": None,
                "out": {"shape": [0]},
            },
            "expected": {"result": "0"},
        },
    ],
)
def remap_ids(
    ids: Tensor[Id, "n"],
    table: dict[int, int],
    fallback: Optional[Annotated[int, Examples(0, -1, 1 << 50)]],
    out: Out[Tensor[np.int64, "n"]],
) -> int:
    if fallback is None:
        for id in ids:
            if int(id) not in table:
                raise KeyError(f"the table has nothing for {id}")
    out[...] = np.array([table.get(int(id), fallback) for id in ids], np.int64)
    return sum(int(id) not in table for id in ids)
