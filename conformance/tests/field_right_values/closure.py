# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Retained, Tensor, kernel


@kernel(
    name="compose",
    parameters={"f": {"does": "2*x + 1"}, "g": {"does": "x*x"}},
    tolerance=1e-12,
)
def composed(
    f: Callable[[float], float],
    g: Optional[Callable[[float], float]],
    x: Annotated[float, Examples(0.5, 3.0, -2.0)],
) -> float:
    return 2 * (x if g is None else x * x) + 1


@kernel(
    sizes={"n": [2, 0]},
    sequences=[
        {
            "text": "the bias stays as it was given",
            "steps": [
                {
                    "call": "affine",
                    "arguments": {"bias": {"elements": [1, 10]}, "factor": 2.0},
                    "keep": "f",
                },
                {
                    "call": "f",
                    "arguments": [{"elements": [1, 2], "dtype": "float32"}],
                    "expected": {"result": "[3, 14]"},
                },
                {
                    "call": "f",
                    "arguments": [{"elements": [1, 2, 3], "dtype": "float32"}],
                    "refused": {"kind": "ValueError"},
                },
                {
                    "call": "f",
                    "arguments": [{"elements": [0, -1], "dtype": "float32"}],
                    "expected": {"result": "[1, 8]"},
                },
            ],
        }
    ],
)
def affine(
    bias: Retained[Tensor[np.float32, "n"]], factor: Annotated[float, Range(-4, 4)]
) -> Callable[[Tensor[np.float32, "n"]], Tensor[np.float32, "n"]]:
    kept = bias.copy()
    return lambda x: (x * factor + kept).astype(np.float32)


@kernel(
    sequences=[
        {
            "text": "each has a count of its own",
            "repeatable": True,
            "steps": [
                {"call": "counter", "arguments": {"start": 5, "step": 2}, "keep": "a"},
                {"call": "counter", "arguments": {"start": 0, "step": 10}, "keep": "b"},
                {"call": "a", "arguments": [], "expected": {"result": "5"}},
                {"call": "b", "arguments": [], "expected": {"result": "0"}},
                {"call": "a", "arguments": [], "expected": {"result": "7"}},
                {"call": "a", "arguments": [1], "refused": True},
                {"call": "a", "arguments": [], "expected": {"result": "9"}},
            ],
        }
    ]
)
def counter(
    start: Annotated[int, Range(-1000, 1000)], step: Annotated[int, Range(1, 10)]
) -> Callable[[], int]:
    state = [start - step]

    def following() -> int:
        state[0] += step
        return state[0]

    return following
