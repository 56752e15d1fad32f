# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(
    parameters={"n": {"value": 8}},
    promises=["repeatable", "fresh"],
    refuses=[{"with": {"kind": "kaiser"}, "kind": "ValueError", "message": "unknown window"}],
    sequences=[
        {
            "text": "what is kept is the same the second time",
            "steps": [
                {
                    "call": "window",
                    "arguments": {"kind": "hann", "n": 3, "periodic": False},
                    "expected": {"result": "array([0, 1, 0])"},
                },
                {
                    "call": "window",
                    "arguments": {"kind": "hann", "n": 4, "periodic": True},
                    "expected": {"result": "array([0, 0.5, 1, 0.5])"},
                },
                {
                    "call": "window",
                    "arguments": {"kind": "hann", "n": 3, "periodic": False},
                    "expected": {"result": "array([0, 1, 0])"},
                },
            ],
        }
    ],
)
def window(
    kind: Literal["hann", "hamming"], n: Annotated[int, Range(1, 1024)], periodic: bool
) -> Tensor[np.float64, "n"]:
    if n == 1:
        return np.ones(1)
    a = 0.5 if kind == "hann" else 0.54
    return a - (1 - a) * np.cos(2 * np.pi * np.arange(n) / (n if periodic else n - 1))
