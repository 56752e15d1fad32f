# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

import numpy as np
from tvmffi_conform.kernels import DType, Examples, Range, Tensor, kernel

MASK = 0xFFFFFFFF


def rotl(x: int, r: int) -> int:
    return ((x << r) | (x >> (32 - r))) & MASK


def mix(k: int) -> int:
    return rotl(k * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK


def murmur3(data: bytes, seed: int) -> int:
    h = seed
    whole = len(data) // 4 * 4
    for i in range(0, whole, 4):
        h = (rotl(h ^ mix(int.from_bytes(data[i : i + 4], "little")), 13) * 5 + 0xE6546B64) & MASK
    if len(data) > whole:
        h ^= mix(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ (h >> 16)) * 0x85EBCA6B & MASK
    h = (h ^ (h >> 13)) * 0xC2B2AE35 & MASK
    return h ^ (h >> 16)


def rows(*values):
    return {"rows": list(values), "n_features": 16, "dtype": "float64", "flip": True, "seed": 0}


BASE = rows({"price": 2.5, "colour": "red", "größe": 4.0}, {}, {"x": -1.0, "stadt": "Köln"})


@kernel(
    parameters={"rows": {"value": [{"a": 1.5, "b": "x"}, {}, {"é": -2.0}]}},
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {"arguments": BASE},
        {"arguments": {**BASE, "seed": 1}},
        {"arguments": {**BASE, "flip": False, "n_features": 2}},
        {
            "arguments": {**BASE, "n_features": 1, "dtype": "float32"},
            "expected": {"result[2]": "[0, 1, 1, 2]"},
        },
        {"arguments": {**BASE, "rows": []}, "expected": {"result[2]": "[0]"}},
        {"arguments": rows({"a": 1.0}, {"b": None}), "refused": {"kind": "TypeError"}},
        {"arguments": {**BASE, "n_features": 0}, "refused": {"kind": "ValueError"}},
    ],
    sequences=[
        {
            "text": "the seed counts in each call",
            "repeatable": True,
            "steps": [
                {
                    "call": "feature_hash",
                    "arguments": {
                        **rows({"a": 1.0}),
                        "n_features": 1 << 30,
                        "flip": False,
                        "seed": seed,
                    },
                    "expected": {
                        "result[0]": "[1]",
                        "result[1]": str([(murmur3(b"a", seed) & 0x7FFFFFFF) % (1 << 30)]),
                    },
                }
                for seed in (0, 7, 0)
            ],
        }
    ],
)
def feature_hash(
    rows: list[dict[str, Union[float, str]]],
    n_features: Annotated[int, Examples(8, 3), Range(1, 2**31 - 1)],
    dtype: DType[np.float32, np.float64],
    flip: bool,
    seed: Annotated[int, Range(0, 2**32 - 1)],
) -> tuple[Tensor["dtype", "_"], Tensor[np.int32, "_"], Tensor[np.int64, "_"]]:
    values, indices, indptr = [], [], [0]
    for features in rows:
        row = {}
        for name, value in features.items():
            if isinstance(value, str):
                name, value = f"{name}={value}", 1.0
            h = murmur3(name.encode(), seed)
            at = (h & 0x7FFFFFFF) % n_features
            row[at] = row.get(at, 0.0) + (-value if flip and h >> 31 else value)
        for at in sorted(row):
            indices.append(at)
            values.append(row[at])
        indptr.append(len(indices))
    return np.array(values, dtype), np.array(indices, np.int32), np.array(indptr, np.int64)
