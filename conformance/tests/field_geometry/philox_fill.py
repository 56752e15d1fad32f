# SPDX-License-Identifier: Apache-2.0
"""philox_fill: random numbers of the counter-based generator Philox4x32-10."""

from typing import Annotated, Literal

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

LOW = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(32)


def philox(offset, blocks, seed):
    counter = np.uint64(offset) + np.arange(blocks, dtype=np.uint64)
    key = seed % 2**64
    c0, c1 = counter & LOW, counter >> SHIFT
    c2, c3 = np.zeros_like(c0), np.zeros_like(c0)
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(10):
        p0 = c0 * np.uint64(0xD2511F53)
        p1 = c2 * np.uint64(0xCD9E8D57)
        c0, c1, c2, c3 = (
            (p1 >> SHIFT) ^ c1 ^ np.uint64(k0),
            p1 & LOW,
            (p0 >> SHIFT) ^ c3 ^ np.uint64(k1),
            p0 & LOW,
        )
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return np.stack([c0, c1, c2, c3], axis=1)


def call(shape, dtype, seed, offset, distribution, a, b, threads, **more):
    return {
        "arguments": {
            "out": {"shape": shape, "dtype": np.dtype(dtype).name},
            "seed": seed,
            "offset": offset,
            "distribution": distribution,
            "a": a,
            "b": b,
            "threads": threads,
        },
        **more,
    }


def refused(*arguments, message):
    return call(*arguments, refused={"kind": "ValueError", "message": message})


@kernel(
    where=[
        'distribution == "bits" or (isfinite(a) and isfinite(b))',
        'distribution != "uniform" or a < b',
        'distribution != "normal" or b >= 0',
        'distribution != "bits" or out.dtype == "int32"',
        'distribution == "bits" or out.dtype != "int32"',
    ],
    tolerance={"float32": 2e-8, "float64": 1e-12},
    promises=["atomic", "repeatable"],
    calls=[
        call([10], np.float32, 7, 0, "uniform", 0.0, 1.0, 1),
        call([10], np.float32, 7, 0, "uniform", 0.0, 1.0, 2),
        call([3, 5], np.float64, -1, 3, "uniform", -2.0, 5.0, 3),
        call([5, 3, 7], np.float32, 2**40 + 3, 2**33 + 1, "normal", 1.5, 0.25, 4),
        call([101], np.float64, 2**63 - 1, 0, "normal", 0.0, 1.0, 4),
        call([2, 33], np.int32, 42, 2**32 - 5, "bits", 0.0, 0.0, 2),
        call([], np.float64, 1, 1, "uniform", 3.0, 4.0, 0),
        call([0, 4], np.float32, 1, 9, "normal", 0.0, 0.0, 0),
        call([1001], np.float32, 5, 0, "uniform", 1e6, 1e6 + 1, 8),
        call([7], np.float32, 5, 2**63 - 3, "uniform", 0.0, 1.0, 1),
        refused([9], np.float32, 5, 2**63 - 3, "uniform", 0.0, 1.0, 1, message="offset"),
        refused([9], np.float32, 5, -1, "uniform", 0.0, 1.0, 1, message="offset"),
        refused([9], np.float64, 5, 0, "uniform", 1.0, 1.0, 1, message="less than"),
        refused([9], np.float64, 5, 0, "uniform", 2.0, 1.0, 1, message="less than"),
        refused([9], np.float32, 5, 0, "uniform", 1.0, 1.0 + 1e-9, 1, message="float32"),
        refused([9], np.float64, 5, 0, "uniform", -1.7e308, 1.7e308, 1, message="finite"),
        refused([9], np.float32, 5, 0, "normal", 1.0, -1.0, 1, message="negative"),
        refused([9], np.float32, 5, 0, "gauss", 1.0, 1.0, 1, message="distribution"),
    ],
    sequences=[
        {
            "text": "the offset that is returned goes on where the first call ended",
            "repeatable": True,
            "steps": [
                {
                    "call": "philox_fill",
                    "arguments": {
                        "out": {"shape": [4], "dtype": "int32"},
                        "seed": 0,
                        "offset": 0,
                        "distribution": "bits",
                        "a": 0.0,
                        "b": 0.0,
                        "threads": 1,
                    },
                    "expected": {
                        "out": "cast([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8], 'int32')",
                        "result": "1",
                    },
                },
                {
                    "call": "philox_fill",
                    "arguments": {
                        "out": {"shape": [3], "dtype": "int32"},
                        "seed": 0,
                        "offset": 0,
                        "distribution": "bits",
                        "a": 0.0,
                        "b": 0.0,
                        "threads": 1,
                    },
                    "expected": {
                        "out": "cast([0x6627e8d5, 0xe169c58d, 0xbc57ac4c], 'int32')",
                        "result": "1",
                    },
                },
            ],
        }
    ],
    text="""The numbers depend on seed, offset and position alone, not on threads or earlier calls.
    Those of float32 are worked out in double precision and rounded once; a uniform one is below b
    after that, too. The result is the offset to go on with.""",
)
def philox_fill(
    out: Out[Tensor[(np.float32, np.float64, np.int32), "..."]],
    seed: Annotated[int, Examples(7, -1, 2**40 + 3)],
    offset: Annotated[int, Examples(0, 5, 2**32 + 1), Range(least=0)],
    distribution: Literal["uniform", "normal", "bits"],
    a: Annotated[float, Examples(0, -2.5)],
    b: Annotated[float, Examples(1, 3.5)],
    threads: Annotated[int, Range(0, 64)],
) -> int:
    if (distribution == "bits") != (out.dtype == np.int32):
        raise TypeError("out")
    each = 2 if out.dtype == np.float64 else 4
    blocks = -(-out.size // each)
    if offset > 2**63 - 1 - blocks:
        raise ValueError("offset")
    words = philox(offset, blocks, seed)
    if distribution == "bits":
        numbers = words.reshape(-1).astype(np.uint32).view(np.int32)
    else:
        if each == 4:
            unit = (words >> np.uint64(8)) * 2.0**-24
        else:
            high, low = words[:, [0, 2]], words[:, [1, 3]]
            unit = ((high << np.uint64(21)) | (low >> np.uint64(11))) * 2.0**-53
        if distribution == "uniform":
            kind = out.dtype.type
            with np.errstate(over="ignore"):
                if not kind(a) < kind(b) or not np.isfinite(kind(b - a)):
                    raise ValueError("a and b")
            top = np.nextafter(kind(b), kind(a))
            numbers = np.minimum((a + unit * (b - a)).astype(kind), top)
        else:
            radius = np.sqrt(-2 * np.log(1 - unit[:, ::2]))
            angle = 2 * np.pi * unit[:, 1::2]
            numbers = a + b * np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=2)
    with np.errstate(over="ignore"):
        out[...] = numbers.reshape(-1)[: out.size].reshape(out.shape).astype(out.dtype)
    return offset + blocks
