# SPDX-License-Identifier: Apache-2.0
"""Aggregates a column by the keys of another one."""

from typing import Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

K = TypeVar("K", np.int32, np.int64)
V = TypeVar("V", np.float32, np.float64, np.int64)


@kernel(
    text="keys, values and counts of groups, in the order of the keys or in that of the rows",
    sizes={"n": [12, 1, 0, 300]},
    parameters={
        "keys": {"layout": "contiguous"},
        "values": {"layout": "contiguous"},
        "valid": {"layout": "contiguous"},
    },
    where=['agg != "mean" or values.dtype != "int64"'],
    refuses=[{"when": 'agg == "median"', "kind": "ValueError", "message": "agg must be"}],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "keys": np.array([3, -1, 3, 7, -1, 3], np.int32),
                "values": np.array([-1.5, 2, -4, np.nan, -2.5, -8], np.float32),
                "valid": np.array([1, 1, 1, 1, 0, 0], bool),
                "agg": agg,
                "sorted": sorted_,
            }
        }
        for agg in ("sum", "mean", "min", "max")
        for sorted_ in (True, False)
    ]
    + [
        {
            "arguments": {
                "keys": np.array([2**40, 5, -(2**40), 5, 2**63 - 1], np.int64),
                "values": np.array([1, 2**62, 3, 2**62, -9], np.int64),
                "valid": None,
                "agg": agg,
                "sorted": True,
            }
        }
        for agg in ("sum", "min", "max")
    ]
    + [
        {
            "arguments": {
                "keys": np.array([1, 1, 2, 2, 3], np.int64),
                "values": np.array([np.nan, 4, -3, np.nan, np.nan], np.float64),
                "valid": None,
                "agg": agg,
                "sorted": False,
            }
        }
        for agg in ("min", "max", "sum")
    ]
    + [
        {
            "arguments": {
                "keys": np.array([1, 1], np.int64),
                "values": np.array([1, 2], np.int64),
                "valid": None,
                "agg": "mean",
                "sorted": False,
            },
            "refused": {"kind": "TypeError", "message": "floats for a mean"},
        }
    ],
)
def group_by(
    keys: Tensor[K, "n"],
    values: Tensor[V, "n"],
    valid: Optional[Tensor[np.bool_, "n"]],
    agg: Literal["sum", "mean", "min", "max"],
    sorted: bool,
) -> tuple[Tensor[K, "_"], Tensor[V, "_"], Tensor[np.int64, "_"]]:
    found, first, of_row = np.unique(keys, return_index=True, return_inverse=True)
    if not sorted:
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        found, of_row = found[order], rank[of_row]
    is_float = values.dtype != np.int64
    out = np.zeros(len(found), values.dtype)
    counts = np.zeros(len(found), np.int64)
    for g in range(len(found)):
        rows = of_row == g
        if valid is not None:
            rows = rows & valid
        some = values[rows]
        counts[g] = len(some)
        if agg == "sum":
            out[g] = some.sum(dtype=np.float64 if is_float else np.int64)
        elif len(some) == 0:
            out[g] = np.nan if is_float else 0
        elif agg == "mean":
            out[g] = some.mean(dtype=np.float64)
        elif is_float:
            out[g] = (np.fmin if agg == "min" else np.fmax).reduce(some)
        else:
            out[g] = some.min() if agg == "min" else some.max()
    return found.astype(keys.dtype), out, counts
