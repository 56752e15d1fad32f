# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, np.float64)


def philox(seed: int, counters: np.ndarray) -> np.ndarray:
    """Philox4x32-10 of each counter of 64 bits: four numbers of 32 bits."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    c0, c1 = counters & low, counters >> half
    c2, c3 = np.zeros_like(c0), np.zeros_like(c0)
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        a = np.uint64(0xD2511F53) * c0
        b = np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (
            (b >> half) ^ c1 ^ np.uint64(k0),
            b & low,
            (a >> half) ^ c3 ^ np.uint64(k1),
            a & low,
        )
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1)


RISING = np.linspace(-2, 2, 30, dtype=np.float32).reshape(5, 6)


def call(
    text,
    seed,
    offset,
    x=RISING,
    p=0.5,
    threads=3,
):
    return {
        "text": text,
        "arguments": {
            "x": x,
            "p": p,
            "rng": np.array([seed, offset], np.int64),
            "num_threads": threads,
            "out": {"shape": list(x.shape)},
        },
    }


@kernel(
    text="out is x / (1 - p) where the mask is 1, else 0, by a Philox4x32-10 stream whose seed and offset are in rng. The offset goes on by a block for each four elements.",
    sizes={"m": [5, 1, 0, 200], "n": [6, 7]},
    tolerance={"float32": 1e-6, "float16": 2e-3, "float64": 1e-12},
    promises=["atomic", "repeatable", "fresh"],
    parameters={
        "x": {"layout": "contiguous"},
        "rng": {"layout": "contiguous"},
        "out": {"layout": "contiguous", "alias": "x"},
    },
    checks=["arity", "kind", "dtype", "shape", "device", "layout", "value"],
    refuses=[
        {"when": "p > 1", "kind": "ValueError", "message": "p must be"},
        {"when": "p < 0", "kind": "ValueError", "message": "p must be"},
        {"when": "num_threads < 1", "kind": "ValueError", "message": "num_threads must be"},
        {"when": "num_threads > 64", "kind": "ValueError", "message": "num_threads must be"},
    ],
    calls=[
        call("a negative seed", -1, 0),
        call("a seed of more than 32 bits", 5 << 40 | 77, 3),
        call("an offset of more than 32 bits", 77, 9 << 33),
        call("an offset that passes 32 bits", 77, (1 << 32) - 3),
        call("an offset that wraps", 77, -2),
        call(
            "all are dropped, NaN and infinity too",
            1,
            2,
            np.array([[np.nan, np.inf, -np.inf, 1, 0, -1]], np.float32),
            1.0,
        ),
        call("none is dropped, and the offset goes on", 1, 2, p=0.0),
    ],
    sequences=[
        {
            "text": "calls after each other go on in the stream",
            "repeatable": True,
            "steps": [
                {
                    "call": "dropout",
                    "arguments": {
                        "x": {"elements": [[1, 1, 1, 1, 1]], "dtype": "float32"},
                        "p": 0.5,
                        "rng": {"elements": [7, offset]},
                        "num_threads": 1,
                        "out": {"shape": [1, 5], "dtype": "float32"},
                    },
                    "expected": {"rng": f"[7, {offset + 2}]"},
                }
                for offset in (0, 2, 4)
            ],
        }
    ],
)
def dropout(
    x: Tensor[T, "m n"],
    p: Annotated[float, Examples(0.25, 0.5), Range(0, 1)],
    rng: InOut[Tensor[np.int64, "2"]],
    num_threads: Annotated[int, Examples(1, 3), Range(1, 64)],
    out: Out[Tensor[T, "m n"]],
) -> Tensor[np.uint8, "m n"]:
    seed, offset = (int(v) & 0xFFFFFFFFFFFFFFFF for v in rng)
    blocks = (x.size + 3) // 4
    counters = np.array([(offset + i) & 0xFFFFFFFFFFFFFFFF for i in range(blocks)], np.uint64)
    u = (philox(seed, counters).reshape(-1)[: x.size].reshape(x.shape) >> np.uint64(8)) / 16777216.0
    keep = u >= p
    with np.errstate(all="ignore"):
        out[...] = np.where(keep, x.astype(np.float64) * (1 / (1 - p) if p < 1 else 0.0), 0.0)
    rng[1] = np.array([(offset + blocks) & 0xFFFFFFFFFFFFFFFF], np.uint64).astype(np.int64)[0]
    return keep.astype(np.uint8)
