# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Retained, Tensor, kernel

REMEMBER = [
    {"call": "remember", "arguments": {"x": {"elements": [1.5, 2.5, -1], "dtype": "float64"}}}
]


@kernel(
    parameters={"x": {"spellings": ["object"]}},
    promises=["atomic"],
    sequences=[
        {
            "text": "the last one is kept, until it is forgotten",
            "repeatable": True,
            "steps": [
                {
                    "call": "total",
                    "arguments": {"scale": 1.0},
                    "refused": {"kind": "RuntimeError", "message": "nothing"},
                },
                {"call": "remember", "arguments": {"x": {"elements": [1, 2], "dtype": "float32"}}},
                {"call": "total", "arguments": {"scale": 2.0}, "expected": {"result": "6"}},
                {"call": "remember", "arguments": {"x": {"elements": [10], "dtype": "float64"}}},
                {"call": "total", "arguments": {"scale": -1.0}, "expected": {"result": "-10"}},
                {"call": "recall", "arguments": {"times": 2}, "expected": {"result": "[10, 10]"}},
                {"call": "total", "arguments": {"scale": 100.0}, "refused": {"kind": "ValueError"}},
                {"call": "forget", "arguments": {}, "expected": {"result": "1"}},
                {"call": "forget", "arguments": {}, "expected": {"result": "0"}},
                {"call": "recall", "arguments": {"times": 1}, "refused": True},
            ],
        }
    ],
)
def remember(x: Retained[Tensor[(np.float32, np.float64), "n"]]) -> None:
    pass


@kernel(needs=REMEMBER)
def total(scale: Annotated[float, Examples(0.5), Range(-4, 4)]) -> float:
    return 3.0 * scale


@kernel(needs=REMEMBER, promises=["fresh"])
def recall(times: Annotated[int, Examples(2), Range(1, 10)]) -> Tensor[np.float64, "3*times"]:
    return np.tile(np.array([1.5, 2.5, -1.0]), times)


@kernel(needs=REMEMBER)
def forget() -> int:
    return 1
