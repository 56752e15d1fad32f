# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel


@kernel(
    sizes={"b": 3, "w": [3, 2]},
    parameters={"allowed": {"length": [0, 1, 5]}},
    calls=[
        {
            "arguments": {
                "bitmask": {"elements": [[5]]},
                "row": 0,
                "allowed": [1, 1, 0],
                "vocab": 3,
            },
            "expected": {"bitmask": "[[3]]", "result": "True"},
            "text": "a token that is listed twice is one",
        }
    ],
)
def fill_bitmask(
    bitmask: InOut[Tensor[np.int32, "b w", {"layout": "rows"}]],
    row: Annotated[int, Range(0, "b - 1")],
    allowed: list[Annotated[int, Range(0, "vocab - 1")]],
    vocab: Annotated[int, Range(0, "32 * w")],
) -> bool:
    bits = np.zeros(bitmask.shape[1] * 32, np.uint8)
    bits[allowed] = 1
    bitmask[row] = np.packbits(bits, bitorder="little").view(np.int32)
    return bool(bits.sum() < vocab)
