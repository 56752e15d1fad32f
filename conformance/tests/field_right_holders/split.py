# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, NotRequired, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)


class Options(TypedDict):
    order: Literal["forward", "backward"]
    scale: NotRequired[Annotated[float, Range(0, 8)]]


@kernel(
    sizes={"n": [6, 1, 0, 40]},
    where=["sum(sections) == n"],
    parameters={"sections": {"length": [2, 1, 4]}, "options": {"other_keys": "refused"}},
    promises=["fresh", "atomic", "repeatable"],
    tolerance={"float32": 1e-6, "float16": 2e-3},
    calls=[
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float32),
                "sections": [1, 0, 2],
                "options": {"order": "backward"},
            }
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float16),
                "sections": [2],
                "options": {"order": "forward"},
            },
            "refused": {"kind": "ValueError", "message": "must cover"},
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float16),
                "sections": [3],
                "options": {"order": "up"},
            },
            "refused": {"kind": "ValueError", "message": "forward or backward"},
        },
    ],
)
def split(
    x: Tensor[T, "n"], sections: list[Annotated[int, Range(0, "n")]], options: Options
) -> tuple[list[Tensor[T, "_"]], int]:
    ends = [0]
    for s in sections:
        ends.append(ends[-1] + s)
    scale = options.get("scale", 1)
    parts = [(x[a:b].astype(np.float64) * scale).astype(x.dtype) for a, b in zip(ends, ends[1:])]
    if options["order"] == "backward":
        parts = parts[::-1]
    return parts, len(parts)


class Inputs(TypedDict):
    left: Tensor[np.int32, "m"]
    right: Tensor[np.int32, "k"]


@kernel(
    sizes={"m": [4, 1], "k": [3, 9]},
    where=["m > 0", "k > 0"],
    parameters={"inputs": {"other_keys": "refused"}},
    promises=["atomic"],
)
def ranges(
    inputs: Inputs,
    lows: tuple[Out[Tensor[np.int32, ""]], Out[Tensor[np.int32, ""]]],
    high: Optional[Out[Tensor[np.int32, "2"]]],
) -> dict[str, int]:
    left, right = inputs["left"], inputs["right"]
    lows[0][...] = left.min()
    lows[1][...] = right.min()
    if high is not None:
        high[...] = [left.max(), right.max()]
    return {"left": len(left), "right": len(right)}
