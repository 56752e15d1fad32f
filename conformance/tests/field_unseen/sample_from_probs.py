# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

MASK = (1 << 64) - 1


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


# Probabilities are taken as they are: "value" is not checked.
@kernel(
    sizes={"b": [3, 20], "v": [10, 100]},
    checks=["arity", "kind", "dtype", "rank", "shape", "device", "layout"],
)
def sample_from_probs(
    probs: Annotated[Tensor[np.float32, "b v"], Range(0, 1)], seed: int
) -> Tensor[np.int32, "b"]:
    if probs.shape[1] == 0:
        raise ValueError("probs has no columns")
    base = mix(seed & MASK)
    out = np.empty(probs.shape[0], np.int32)
    for i, row in enumerate(probs.astype(np.float64)):
        u = (mix((base + i) & MASK) >> 11) * 2.0**-53
        above = np.flatnonzero(np.cumsum(row) > u * row.sum())
        out[i] = above[0] if above.size else row.size - 1
    return out
