# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel


class Options(TypedDict):
    act: Literal["none", "relu", "abs"]
    scale: NotRequired[Annotated[float, Range(-100, 100)]]
    shift: NotRequired[Annotated[float, Range(-100, 100)]]


@kernel(
    sizes={"n": [9, 1, 0, 128]},
    parameters={"options": {"other_keys": "refused"}, "y": {"alias": "x"}},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([-2, 0, 3], np.float32),
                "options": {"act": "relu", "shift": 1.0},
                "y": {"shape": [3]},
            },
            "expected": {"y": "array([0, 1, 4])"},
        },
        {
            "arguments": {"options": {"act": "gelu"}},
            "refused": {"kind": "ValueError", "message": "unknown act"},
        },
        {"arguments": {"options": {"scale": 2.0}}, "refused": {"kind": "KeyError"}},
    ],
)
def scale_options(
    x: Tensor[np.float32, "n"], options: Options, y: Out[Tensor[np.float32, "n"]]
) -> None:
    v = options.get("scale", 1.0) * x.astype(np.float64) + options.get("shift", 0.0)
    if options["act"] == "relu":
        v = np.maximum(v, 0)
    elif options["act"] == "abs":
        v = np.abs(v)
    y[...] = v
