# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel


def mix(x):
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


@kernel(
    where=["rank < world"],
    promises=["repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "n": 10,
                "rank": 1,
                "world": 3,
                "seed": 7,
                "epoch": 0,
                "drop_last": False,
                "dtype": "int64",
                "lengths": None,
                "bucket": 4,
            }
        },
        {
            "arguments": {
                "n": 10,
                "rank": 1,
                "world": 3,
                "seed": 7,
                "epoch": 1,
                "drop_last": False,
                "dtype": "int32",
                "lengths": None,
                "bucket": 4,
            }
        },
        {
            "arguments": {
                "n": 2,
                "rank": 6,
                "world": 7,
                "seed": 7,
                "epoch": 0,
                "drop_last": False,
                "dtype": "int64",
                "lengths": None,
                "bucket": 4,
            }
        },
        {
            "arguments": {
                "n": 6,
                "rank": 0,
                "world": 1,
                "seed": -3,
                "epoch": 2,
                "drop_last": True,
                "dtype": "int32",
                "lengths": np.array([5, 1 << 40, 7, 7, 0, 2], np.int64),
                "bucket": 4,
            }
        },
        {
            "arguments": {
                "n": 6,
                "rank": 2,
                "world": 2,
                "seed": 0,
                "epoch": 0,
                "drop_last": True,
                "dtype": "int32",
                "lengths": None,
                "bucket": 1,
            },
            "refused": {"kind": "ValueError", "message": "rank"},
        },
    ],
    sequences=[
        {
            "text": "each epoch has an order of its own",
            "repeatable": True,
            "steps": [
                {
                    "call": "shard_order",
                    "arguments": {
                        "n": 5,
                        "rank": 0,
                        "world": 1,
                        "seed": 1,
                        "epoch": 0,
                        "drop_last": False,
                        "dtype": "int64",
                        "lengths": None,
                        "bucket": 1,
                    },
                },
                {
                    "call": "shard_order",
                    "arguments": {
                        "n": 5,
                        "rank": 0,
                        "world": 1,
                        "seed": 1,
                        "epoch": 1,
                        "drop_last": False,
                        "dtype": "int64",
                        "lengths": None,
                        "bucket": 1,
                    },
                    "expected": {"result": "[1, 3, 4, 2, 0]"},
                },
                {
                    "call": "shard_order",
                    "arguments": {
                        "n": 5,
                        "rank": 0,
                        "world": 1,
                        "seed": 2,
                        "epoch": 1,
                        "drop_last": False,
                        "dtype": "int64",
                        "lengths": None,
                        "bucket": 1,
                    },
                    "expected": {"result": "[4, 2, 3, 1, 0]"},
                },
            ],
        }
    ],
)
def shard_order(
    n: Annotated[int, Examples(10, 1000, 3), Range(0, 50000)],
    rank: Annotated[int, Examples(0, 1), Range(0, "world - 1")],
    world: Annotated[int, Examples(2, 8), Range(1, 4096)],
    seed: int,
    epoch: Annotated[int, Examples(0, 1), Range(0)],
    drop_last: bool,
    dtype: DType[np.int32, np.int64],
    lengths: Optional[Annotated[Tensor[(np.int32, np.int64), "n"], Range(0)]],
    bucket: Annotated[int, Examples(4, 64), Range(1)],
) -> Tensor[(np.int32, np.int64), "_"]:
    with np.errstate(over="ignore"):
        base = mix(np.array([seed], np.int64).astype(np.uint64)) ^ np.array(
            [epoch], np.int64
        ).astype(np.uint64)
        hashes = mix(base + np.arange(n, dtype=np.uint64) * np.uint64(0x2545F4914F6CDD1D))
    order = np.argsort(hashes, kind="stable")
    m = n // world if drop_last else -(-n // world)
    mine = order[(np.arange(m) * world + rank) % n] if m else np.zeros(0, np.int64)
    if lengths is not None and m:
        bucket = min(bucket, m)
        for b in range(0, m, bucket):
            part = mine[b : b + bucket]
            mine[b : b + bucket] = part[np.argsort(-lengths[part].astype(np.int64), kind="stable")]
    return mine.astype(dtype)
