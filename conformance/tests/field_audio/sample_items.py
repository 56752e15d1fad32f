# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@kernel(
    text="Weighted sampling of items without replacement.",
    sizes={"n": [12, 1, 60], "b": [3, 1], "m": [4, 1, 0]},
    where=["isfinite(weights)", "weights >= 0"],
    refuses=[
        {"when": "k > n", "kind": "ValueError", "message": "k must"},
        {"when": "first_row < 0", "kind": "ValueError", "message": "first_row must"},
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "weights": np.ones(6, np.float32),
                "k": 3,
                "seed": 0,
                "first_row": 0,
                "exclude": None,
                "out": {"shape": [4, 3]},
            },
        },
        {
            "text": "rows 2 and 3 of the same draws",
            "arguments": {
                "weights": np.ones(6, np.float32),
                "k": 3,
                "seed": 0,
                "first_row": 2,
                "exclude": None,
                "out": {"shape": [2, 3]},
            },
        },
        {
            "text": "what a row excludes is open to the next one, and -1 may stand anywhere",
            "arguments": {
                "weights": np.array([1, 2, 3, 4], np.float64),
                "k": 2,
                "seed": 1 << 40,
                "first_row": 0,
                "exclude": np.array([[-1, 0, 1], [2, -1, 3], [-1, -1, -1]], np.int64),
                "out": {"shape": [3, 2]},
            },
        },
        {
            "text": "items without weight are not drawn",
            "arguments": {
                "weights": np.array([0, 1, 0, 4], np.float32),
                "k": 3,
                "seed": 5,
                "first_row": 0,
                "exclude": None,
                "out": {"shape": [1, 3]},
            },
            "refused": {"kind": "ValueError", "message": "items to draw from"},
        },
        {
            "text": "the second row has too few",
            "arguments": {
                "weights": np.array([1, 1, 1], np.float32),
                "k": 2,
                "seed": 5,
                "first_row": 0,
                "exclude": np.array([[0, 0], [1, 2]], np.int64),
                "out": {"shape": [2, 2]},
            },
            "refused": {"kind": "ValueError", "message": "row 1 has only 1"},
        },
        {
            "arguments": {
                "weights": np.array([1, 1, 1], np.float32),
                "k": 2,
                "seed": 5,
                "first_row": 0,
                "exclude": np.array([[3]], np.int64),
                "out": {"shape": [1, 2]},
            },
            "refused": {"kind": "IndexError", "message": "exclude must"},
        },
    ],
)
def sample_items(
    weights: Tensor[(np.float32, np.float64), "n", {"layout": "contiguous"}],
    k: Annotated[int, Examples(3, 2), Range(1, "n")],
    seed: Annotated[int, Examples(0, 1, -1, 1234567890123456789)],
    first_row: Annotated[int, Examples(0, 7), Range(0, 4294967296)],
    exclude: Optional[
        Annotated[Tensor[np.int64, "b m", {"layout": "contiguous"}], Range(-1, "n - 1")]
    ],
    out: Out[Tensor[np.int64, "b k", {"layout": "contiguous"}]],
) -> None:
    for r in range(out.shape[0]):
        gone = set() if exclude is None else {int(i) for i in exclude[r]}
        s = mix((seed + (first_row + r + 1) * STEP) & MASK)
        keys = []
        for i, w in enumerate(weights.astype(np.float64)):
            if i in gone or w == 0:
                continue
            u = ((mix((s + (i + 1) * STEP) & MASK) >> 11) + 0.5) * 2.0**-53
            with np.errstate(over="ignore"):
                keys.append((-(np.log(u) / w), i))
        if len(keys) < k:
            raise ValueError(f"row {r} has only {len(keys)} items to draw from")
        out[r] = [i for _, i in sorted(keys)[:k]]
