# SPDX-License-Identifier: Apache-2.0
"""Joins two tables by one or more key columns."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

K = TypeVar("K", np.int32, np.int64)


def columns(*values, dtype=np.int32):
    return [np.array(v, dtype) for v in values]


LEFT = columns([1, 2, 2, 5, 1, 9], [2, 1, 3, 5, 2, 0])
RIGHT = columns([2, 1, 9, 1, 2], [1, 2, 1, 2, 3])
WIDE = np.arange(1000) * 7 % 31


def call(left, right, how, left_valid=None, right_valid=None, threads=1, limit=None, **more):
    arguments = {
        "left": left,
        "right": right,
        "how": how,
        "left_valid": None if left_valid is None else np.array(left_valid, bool),
        "right_valid": None if right_valid is None else np.array(right_valid, bool),
        "threads": threads,
        "limit": limit,
    }
    return {"arguments": arguments, **more}


@kernel(
    text="rows that have equal keys, by left row and then by right row; -1 for a row without match",
    sizes={"l": [6, 0, 200], "r": [5, 0, 70], "c": [2, 1, 3]},
    parameters={"left": {"length": "c"}, "right": {"length": "c"}},
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        call(LEFT, RIGHT, how, valid, other)
        for how in ("inner", "left", "semi", "anti")
        for valid, other in ((None, None), ([1, 1, 0, 1, 1, 1], [1, 0, 1, 1, 1]))
    ]
    + [
        call(columns(WIDE), columns(np.arange(40)), "inner", threads=4),
        call(columns(WIDE), columns(np.arange(0, 40, 3)), "left", threads=16),
        call(columns(WIDE), columns(np.arange(0, 40, 3)), "anti", threads=3),
        call(columns([2**40, 1], dtype=np.int64), columns([1, 2**40], dtype=np.int64), "inner"),
        call(columns([1, 1]), columns([1, 1]), "inner", limit=4),
        call(columns([1, 1]), columns([1, 1]), "semi", limit=2),
        call(columns([1, 2]), columns([3, 4]), "inner", limit=0),
        call(
            columns([1, 1]),
            columns([1, 1]),
            "inner",
            limit=3,
            refused={"kind": "ValueError", "message": "limit is exceeded"},
        ),
        call(
            columns([1, 1]),
            columns([1, 1]),
            "outer",
            refused={"kind": "ValueError", "message": "how must be"},
        ),
        call(
            [],
            [],
            "inner",
            refused={"kind": "ValueError", "message": "left must have"},
        ),
    ],
)
def hash_join(
    left: list[Tensor[K, "l", {"layout": "contiguous"}]],
    right: list[Tensor[K, "r", {"layout": "contiguous"}]],
    how: Literal["inner", "left", "semi", "anti"],
    left_valid: Optional[Tensor[np.bool_, "l", {"layout": "contiguous"}]],
    right_valid: Optional[Tensor[np.bool_, "r", {"layout": "contiguous"}]],
    threads: Annotated[int, Examples(4, 2), Range(1, 16)],
    limit: Optional[Annotated[int, Range(0)]],
) -> tuple[Tensor[np.int64, "_"], Optional[Tensor[np.int64, "_"]]]:
    match = np.all([a[:, None] == b[None, :] for a, b in zip(left, right)], axis=0)
    if left_valid is not None:
        match &= left_valid[:, None]
    if right_valid is not None:
        match &= right_valid[None, :]
    if how in ("semi", "anti"):
        rows = np.flatnonzero(match.any(axis=1) == (how == "semi")).astype(np.int64)
        others = None
    else:
        if how == "left":
            none = ~match.any(axis=1, keepdims=True)
            # A column before the first, that stands for no row.
            rows, others = np.nonzero(np.concatenate([none, match], axis=1))
            others = others - 1
        else:
            rows, others = np.nonzero(match)
        rows, others = rows.astype(np.int64), others.astype(np.int64)
    if limit is not None and len(rows) > limit:
        raise ValueError("limit is exceeded")
    return rows, others
