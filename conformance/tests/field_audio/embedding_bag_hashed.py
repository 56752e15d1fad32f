# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

MASK = (1 << 64) - 1


def row_of(key: int, h: int, rows: int) -> int:
    z = (key + (h + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return (z ^ (z >> 31)) % rows


@kernel(
    text="Pooled embeddings of sparse features whose ids are hashed into a table.",
    sizes={"rows": [7, 1, 64], "d": [4, 1, 16], "n": [9, 1, 0, 50], "bags": [5, 1, 13]},
    where=[
        "rows >= 1",
        "offsets[0] == 0",
        "offsets[-1] == n",
        "offsets[1:] >= offsets[:-1]",
        'weights is None or mode != "max"',
    ],
    refuses=[
        {
            "when": 'mode == "max" and weights is not None',
            "kind": "ValueError",
            "message": "weights must",
        },
        {"when": "num_hashes > 4", "kind": "ValueError", "message": "num_hashes must"},
        {"when": "num_threads > 8", "kind": "ValueError", "message": "num_threads must"},
        {"when": "offsets[-1] != n", "kind": "ValueError", "message": "offsets must"},
        {"with": {"mode": "min"}, "kind": "ValueError", "message": "mode must"},
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "one row; the padding is left out of the mean, and a bag is empty",
            "arguments": {
                "table": np.array([[2, -4]], np.float32),
                "ids": np.array([-7, 0, 5, 0], np.int64),
                "offsets": np.array([0, 2, 2, 4], np.int32),
                "weights": np.array([1, 100, 3, 100], np.float32),
                "mode": "mean",
                "num_hashes": 2,
                "padding_id": 0,
                "num_threads": 1,
                "out": {"shape": [3, 2]},
            },
            "expected": {"out": "[[4, -8], [0, 0], [12, -24]]"},
        },
        {
            "text": "the largest of negative numbers",
            "arguments": {
                "table": np.array([[-1, -2], [-3, -1], [-2, -5]], np.float16),
                "ids": np.array([1, -1, 2, 3, -9], np.int32),
                "offsets": np.array([0, 3, 5], np.int64),
                "weights": None,
                "mode": "max",
                "num_hashes": 1,
                "padding_id": None,
                "num_threads": 2,
                "out": {"shape": [2, 2]},
            },
        },
        {
            "text": "more bags than threads share evenly",
            "arguments": {
                "table": np.arange(40, dtype=np.float32).reshape(10, 4) - 20,
                "ids": np.arange(-30, 30, dtype=np.int64) * 1000003,
                "offsets": np.arange(0, 66, 6, dtype=np.int64),
                "weights": None,
                "mode": "sum",
                "num_hashes": 3,
                "padding_id": None,
                "num_threads": 4,
                "out": {"shape": [10, 4]},
            },
        },
        {
            "text": "large enough for each thread to have work at the same time",
            "arguments": {
                "table": np.arange(64 * 32, dtype=np.float32).reshape(64, 32) % 17 - 8,
                "ids": np.arange(4000, dtype=np.int64) * 7919 - 10000,
                "offsets": np.arange(0, 4001, 10, dtype=np.int64),
                "weights": None,
                "mode": "sum",
                "num_hashes": 2,
                "padding_id": None,
                "num_threads": 8,
                "out": {"shape": [400, 32]},
            },
        },
    ],
)
def embedding_bag_hashed(
    table: Tensor[(np.float32, np.float16), "rows d", {"layout": "contiguous"}],
    ids: Tensor[(np.int64, np.int32), "n", {"layout": "contiguous"}],
    offsets: Tensor[(np.int64, np.int32), "bags+1", {"layout": "contiguous"}],
    weights: Optional[Tensor[np.float32, "n", {"layout": "contiguous"}]],
    mode: Literal["sum", "mean", "max"],
    num_hashes: Annotated[int, Range(1, 4)],
    padding_id: Optional[Annotated[int, Examples(0, 1, -1)]],
    num_threads: Annotated[int, Range(1, 8)],
    out: Out[Tensor[np.float32, "bags d", {"layout": "contiguous"}]],
) -> None:
    rows, d = table.shape
    wide = table.astype(np.float64)
    for bag in range(len(offsets) - 1):
        found = []
        for i in range(int(offsets[bag]), int(offsets[bag + 1])):
            key = int(ids[i])
            if padding_id is not None and key == padding_id:
                continue
            one = sum(wide[row_of(key, h, rows)] for h in range(num_hashes))
            found.append(one * (1.0 if weights is None else float(weights[i])))
        if not found:
            out[bag] = 0
        elif mode == "max":
            out[bag] = np.max(found, axis=0)
        elif mode == "mean":
            out[bag] = np.sum(found, axis=0) / len(found)
        else:
            out[bag] = np.sum(found, axis=0)
