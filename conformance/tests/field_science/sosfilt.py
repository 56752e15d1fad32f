# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"c": [2, 1, 5], "n": [9, 1, 0, 200], "s": [2, 1, 4, 0]},
    promises=["atomic", "repeatable"],
    parameters={"x": {"layout": "strided"}, "out": {"alias": "x"}},
    tolerance={"float32": 1e-4, "float64": 1e-9},
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 0, 0, 0]], np.float64),
                "sos": np.array([[0.5, 0.25, 0, 0.5, 0]], np.float64),
                "zi": np.zeros((1, 1, 2), np.float64),
                "out": {"shape": [1, 4], "dtype": "float64"},
                "direction": "forward",
            },
            "expected": {"out": "[[0.5, 0, 0, 0]]"},
        },
        {
            "arguments": {
                "x": np.array([[1, 0, 0, 0]], np.float64),
                "sos": np.array([[0.5, np.nan, 0, 0.5, 0]], np.float64),
                "zi": None,
                "out": {"shape": [1, 4], "dtype": "float64"},
                "direction": "forward",
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def sosfilt(
    x: Tensor[T, "c n"],
    sos: Annotated[Tensor[T, "s 5"], Range(-0.4, 0.4)],
    zi: Optional[InOut[Tensor[T, "s c 2"]]],
    out: Out[Tensor[T, "c n"]],
    direction: Literal["forward", "backward"],
) -> None:
    if not np.isfinite(sos).all():
        raise ValueError("coefficients must be finite")
    v = x.astype(np.float64)
    if direction == "backward":
        v = v[:, ::-1]
    v = v.copy()
    for k, (b0, b1, b2, a1, a2) in enumerate(sos.astype(np.float64)):
        z0 = np.zeros(x.shape[0]) if zi is None else zi[k, :, 0].astype(np.float64)
        z1 = np.zeros(x.shape[0]) if zi is None else zi[k, :, 1].astype(np.float64)
        for t in range(x.shape[1]):
            u = v[:, t].copy()
            y = b0 * u + z0
            z0 = b1 * u - a1 * y + z1
            z1 = b2 * u - a2 * y
            v[:, t] = y
        if zi is not None:
            zi[k, :, 0] = z0
            zi[k, :, 1] = z1
    out[...] = v[:, ::-1] if direction == "backward" else v
