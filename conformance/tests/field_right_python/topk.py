# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.int32, np.float16)


@kernel(
    sizes={"n": [2, 0, 5], "d": [6, 1, 40]},
    tolerance=0,
    promises=["fresh", "repeatable"],
    refuses=[{"when": "k > d", "kind": "ValueError", "message": "k must"}],
    calls=[
        {
            "arguments": {
                "x": np.array([[3, np.nan, 3, -1]], np.float32),
                "k": 4,
                "largest": True,
                "mask": None,
            },
            "expected": {"result[0]": "[[3, 3, -1, nan]]", "result[1]": "[[0, 2, 3, 1]]"},
        },
        {
            "arguments": {
                "x": np.array([[3, -(2**31), 3, 2**31 - 1]], np.int32),
                "k": 2,
                "largest": False,
                "mask": np.array([True, True, False, True]),
            },
        },
        {
            "arguments": {
                "x": np.array([[3, 4]], np.float16),
                "k": 1,
                "largest": False,
                "mask": np.array([False, False]),
            },
            "refused": {"kind": "ValueError", "message": "mask leaves"},
        },
    ],
)
def topk(
    x: Tensor[T, "n d", {"layout": "rows"}],
    k: Annotated[int, Examples(1), Range(1, "d")],
    largest: bool,
    mask: Optional[Tensor[np.bool_, "d"]],
) -> tuple[Tensor[T, "n k"], Tensor[np.int64, "n k"]]:
    columns = np.arange(x.shape[1]) if mask is None else np.nonzero(mask)[0]
    if len(columns) < k:
        raise ValueError("mask leaves too few columns")
    keys = x[:, columns].astype(np.float64)
    order = columns[np.argsort(-keys if largest else keys, axis=1, kind="stable")[:, :k]].astype(
        np.int64
    )
    return np.take_along_axis(x, order, axis=1), order


class Blocks(TypedDict):
    count: int
    tail: int


@kernel(
    where=["first < last", "(block & (block - 1)) == 0"],
    refuses=[{"with": {"block": 12}, "kind": "ValueError", "message": "power of two"}],
)
def blocks(
    first: Annotated[int, Range(0, 1000000)],
    last: Annotated[int, Range(0, 1000000)],
    block: Annotated[int, Examples(16, 8), Range(2, 4096)],
) -> Blocks:
    n = last - first
    return {"count": -(-n // block), "tail": n % block or block}
