# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

Width = Annotated[int, Examples(5, 8, 33), Range(1, 63)]


@kernel(
    sizes={"n": [7, 0, 1, 100]},
    promises=["atomic", "repeatable"],
    refuses=[
        {"when": "width < 1 or width > 63", "kind": "ValueError", "message": "width must"},
        {
            "with": {"x": {"elements": [0, 32, -1]}, "width": 5, "packed": {"shape": [2]}},
            "kind": "ValueError",
            "message": "does not fit",
        },
    ],
    calls=[
        {
            "arguments": {"x": np.array([1, 2, 7], np.int64), "width": 3, "packed": {"shape": [2]}},
            "expected": {"packed": "[209, 1]"},
        },
        {
            "arguments": {
                "x": np.array([2**63 - 1, 2**40], np.int64),
                "width": 63,
                "packed": {"shape": [16]},
            },
        },
    ],
)
def bit_pack(
    x: Annotated[Tensor[np.int64, "n", {"layout": "contiguous"}], Range(0, "~(-1 << width)")],
    width: Width,
    packed: Out[Tensor[np.uint8, "(n*width+7)//8"]],
) -> None:
    bits = [(int(v) >> i) & 1 for v in x for i in range(width)]
    packed[...] = np.packbits(np.array(bits, np.uint8), bitorder="little")


@kernel(
    sizes={"m": [9, 0, 1, 64]},
    promises=["repeatable", "fresh"],
    text="What lies behind the last number, and bits that belong to none, are not looked at.",
    calls=[
        {
            "arguments": {"packed": np.array([209, 255], np.uint8), "width": 3, "n": 3},
            "expected": {"result": "[1, 2, 7]"},
        },
        {
            "arguments": {"packed": np.array([209, 255], np.uint8), "width": 3, "n": 6},
            "refused": {"kind": "ValueError", "message": "numbers of 3 bits"},
        },
    ],
)
def bit_unpack(
    packed: Tensor[np.uint8, "m"],
    width: Width,
    n: Annotated[int, Range(0, "8*m // width")],
) -> Tensor[np.int64, "n"]:
    bits = np.unpackbits(packed, bitorder="little")
    words = [bits[i * width : (i + 1) * width] for i in range(n)]
    return np.array([sum(int(b) << i for i, b in enumerate(word)) for word in words], np.int64)
