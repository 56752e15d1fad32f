# SPDX-License-Identifier: Apache-2.0
"""What embedding_bag.cc computes: rows of a table, reduced bag by bag."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

CPU = {"device": "cpu"}
T = TypeVar("T", np.float32, np.float16, np.float64)
I = TypeVar("I", np.int64, np.int32)


@kernel(
    sizes={"v": [10, 1], "d": [8, 1, 33], "n": [7, 20, 0], "m": [3, 1, 6]},
    where=[
        "m == 0 or offsets[0] == 0",
        "offsets[1:] >= offsets[:-1]",
        "offsets <= n",
        "not include_last_offset or (m >= 1 and offsets[-1] == n)",
    ],
    refuses=[
        {"when": "m > 0 and offsets[0] != 0", "kind": "ValueError", "message": "offsets"},
        {"with": {"mode": "average"}, "kind": "ValueError", "message": "mode"},
    ],
    parameters={
        "weight": CPU,
        "indices": CPU,
        "offsets": CPU,
        "per_sample_weights": CPU,
    },
    calls=[
        {
            "arguments": {
                "weight": np.array([[-1, -2], [-3, -4], [5, 6]], np.float32),
                "indices": np.array([0, 1, 2, 2], np.int64),
                "offsets": np.array([0, 2, 2], np.int64),
                "mode": "max",
                "per_sample_weights": None,
                "padding_idx": None,
                "include_last_offset": False,
            },
            "expected": {"result": "[[-1, -2], [0, 0], [5, 6]]"},
        },
        {
            "arguments": {
                "weight": np.array([[1, 2], [3, 4], [5, 6]], np.float64),
                "indices": np.array([0, 1, 2, 2], np.int32),
                "offsets": np.array([0, 3, 4], np.int32),
                "mode": "mean",
                "per_sample_weights": None,
                "padding_idx": 1,
                "include_last_offset": True,
            },
            "expected": {"result": "[[3, 4], [5, 6]]"},
        },
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3, "float64": 1e-9},
    promises=["repeatable", "fresh"],
    text="Bags begin at offsets. Rows with padding_idx count as absent, and an empty bag gives zeros.",
)
def embedding_bag(
    weight: Tensor[T, "v d", {"layout": "rows"}],
    indices: Annotated[Tensor[I, "n"], Range(0, "v - 1")],
    offsets: Annotated[Tensor[I, "m"], Range(0, "n")],
    mode: Literal["sum", "mean", "max"],
    per_sample_weights: Optional[Tensor[T, "n"]],
    padding_idx: Optional[Annotated[int, Range(0, "v - 1")]],
    include_last_offset: bool,
) -> Tensor[T, "_ d"]:
    if per_sample_weights is not None and mode != "sum":
        raise ValueError("per_sample_weights are for sums")
    n = len(indices)
    ends = list(offsets) if include_last_offset else [*list(offsets), n]
    if len(offsets) == 0:
        ends = [0]
    result = np.zeros((len(ends) - 1, weight.shape[1]), np.float64)
    for bag, (begin, end) in enumerate(zip(ends, ends[1:])):
        at = np.arange(begin, end)
        if padding_idx is not None:
            at = at[indices[at] != padding_idx]
        if len(at) == 0:
            continue
        rows = weight[indices[at]].astype(np.float64)
        if mode == "max":
            result[bag] = rows.max(axis=0)
        elif mode == "mean":
            result[bag] = rows.mean(axis=0)
        else:
            if per_sample_weights is not None:
                rows = rows * per_sample_weights[at].astype(np.float64)[:, None]
            result[bag] = rows.sum(axis=0)
    return result.astype(weight.dtype)
