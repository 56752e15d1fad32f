# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

P = TypeVar("P", np.int32, np.int64)
M = TypeVar("M", np.bool_, np.uint8)
T = TypeVar("T", np.int32, np.int64)


@kernel(
    sizes={"n": [6, 1, 0, 17]},
    where=["parents < arange(n)"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "parents": np.array([-1, 0, 0, 2, -1], np.int32),
                "depth": {"shape": [5]},
                "mask": {"shape": [5, 5], "dtype": "uint8"},
            },
            "expected": {
                "result": "2",
                "depth": "[0, 1, 1, 2, 0]",
                "mask": "[[1,0,0,0,0],[1,1,0,0,0],[1,0,1,0,0],[1,0,1,1,0],[0,0,0,0,1]]",
            },
        },
        {
            "arguments": {
                "parents": np.array([-1, 0, 2, 1], np.int64),
                "depth": {"shape": [4]},
                "mask": {"shape": [4, 4], "dtype": "bool"},
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    parameters={
        "parents": {"device": "cpu", "layout": "contiguous"},
        "depth": {"device": "cpu", "layout": "contiguous"},
        "mask": {"device": "cpu", "layout": "contiguous"},
    },
)
def tree_mask(
    parents: Annotated[Tensor[P, "n"], Range(-1, "n - 1")],
    depth: Out[Tensor[np.int32, "n"]],
    mask: Out[Tensor[M, "n n"]],
) -> int:
    n = len(parents)
    mask[...] = 0
    for i in range(n):
        p = int(parents[i])
        depth[i] = 0 if p < 0 else depth[p] + 1
        if p >= 0:
            mask[i] = mask[p]
        mask[i, i] = 1
    return int(depth.max()) if n else -1


@kernel(
    sizes={"b": [3, 1, 0, 33], "n": [7, 1, 12], "m": [3, 1, 8]},
    where=["n >= 1", "m >= 1", "parents[0] == -1", "parents[1:] >= 0", "parents < arange(n)"],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "draft": np.array([[9, 4, 5, 6, 7, 8], [9, 4, 5, 6, 7, 8]], np.int64),
                "target": np.array([[5, 0, 7, 0, 2**40 + 3, 1], [3, 0, 0, 0, 0, 0]], np.int64),
                "parents": np.array([-1, 0, 0, 1, 2, 4], np.int32),
                "accepted": {"shape": [2, 4]},
                "lengths": {"shape": [2]},
                "bonus": {"shape": [2], "dtype": "int64"},
            },
            "expected": {
                "accepted": "[[0, 2, 4, -1], [0, -1, -1, -1]]",
                "lengths": "[3, 1]",
                "bonus": "[1099511627779, 3]",
            },
        },
        {
            "arguments": {
                "draft": np.array([[1, 1, 1, 1]], np.int32),
                "target": np.array([[1, 1, 1, 1]], np.int32),
                "parents": np.array([-1, 0, 1, 2], np.int32),
                "accepted": {"shape": [1, 2]},
                "lengths": {"shape": [1]},
                "bonus": None,
            },
            "expected": {"accepted": "[[0, 1]]", "lengths": "[2]"},
        },
    ],
    parameters={
        name: {"device": "cpu", "layout": "contiguous"}
        for name in ["draft", "target", "parents", "accepted", "lengths", "bonus"]
    },
)
def verify_greedy(
    draft: Tensor[T, "b n"],
    target: Tensor[T, "b n"],
    parents: Annotated[Tensor[np.int32, "n"], Range(-1, "n - 1")],
    accepted: Out[Tensor[np.int32, "b m"]],
    lengths: Out[Tensor[np.int32, "b"]],
    bonus: Optional[Out[Tensor[T, "b"]]],
) -> None:
    b, n = draft.shape
    m = accepted.shape[1]
    accepted[...] = -1
    for r in range(b):
        path = [0]
        while len(path) < m:
            at = path[-1]
            found = [
                c for c in range(at + 1, n) if parents[c] == at and draft[r, c] == target[r, at]
            ]
            if not found:
                break
            path.append(found[0])
        accepted[r, : len(path)] = path
        lengths[r] = len(path)
        if bonus is not None:
            bonus[r] = target[r, path[-1]]
