# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16)
S = TypeVar("S", np.float32, np.float16)


@kernel(
    sizes={"b": [3, 1, 0, 17], "P": [5, 20], "h": [4, 2], "g": [2, 1], "p": [3], "d": [4, 16]},
    where=["g >= 1", "h % g == 0", "slots is not None or P >= b"],
    tolerance={"float32": 1e-4, "float16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "state": np.ones((3, 1, 1, 2), np.float32),
                "x": np.array([[[2]], [[3]]], np.float32),
                "dt": np.array([[1], [1]], np.float32),
                "A": np.array([0], np.float32),
                "B": np.array([[[1, 2]], [[1, 1]]], np.float32),
                "C": np.array([[[1, 1]], [[1, 1]]], np.float32),
                "D": None,
                "z": None,
                "dt_bias": None,
                "slots": np.array([2, -1], np.int32),
                "dt_softplus": False,
                "out": {"shape": [2, 1, 1]},
            },
            "expected": {"out": "[[[8]], [[0]]]", "state": "[[[[1, 1]]], [[[1, 1]]], [[[3, 5]]]]"},
        },
        {
            "arguments": {
                "state": np.ones((3, 1, 1, 2), np.float32),
                "x": np.array([[[2]], [[3]]], np.float32),
                "dt": np.array([[1], [1]], np.float32),
                "A": np.array([0], np.float32),
                "B": np.array([[[1, 2]], [[1, 1]]], np.float32),
                "C": np.array([[[1, 1]], [[1, 1]]], np.float32),
                "D": None,
                "z": None,
                "dt_bias": None,
                "slots": np.array([1, 1], np.int32),
                "dt_softplus": False,
                "out": {"shape": [2, 1, 1]},
            },
            "refused": {"kind": "ValueError", "message": "twice"},
        },
    ],
)
def selective_state_update(
    state: InOut[Tensor[S, "P h p d"]],
    x: Tensor[T, "b h p", {"layout": "strided"}],
    dt: Annotated[Tensor[T, "b h"], Range(-2, 2)],
    A: Annotated[Tensor[np.float32, "h"], Range(-3, 0)],
    B: Tensor[T, "b g d", {"layout": "strided"}],
    C: Tensor[T, "b g d", {"layout": "strided"}],
    D: Optional[Tensor[np.float32, "h"]],
    z: Optional[Tensor[T, "b h p"]],
    dt_bias: Optional[Annotated[Tensor[np.float32, "h"], Range(-2, 2)]],
    slots: Optional[Annotated[Tensor[np.int32, "b"], Range(-1, "P - 1")]],
    dt_softplus: bool,
    out: Out[Tensor[T, "b h p"]],
) -> None:
    b, h, _p = x.shape
    g = B.shape[1]
    at = np.arange(b) if slots is None else slots
    used = at[at >= 0]
    if len(set(used.tolist())) != len(used):
        raise ValueError("a slot is there twice")
    out[...] = 0
    for i in range(b):
        if at[i] < 0:
            continue
        step = dt[i].astype(np.float64)
        if dt_bias is not None:
            step = step + dt_bias
        if dt_softplus:
            step = np.log1p(np.exp(step))
        decay = np.exp(step * A)
        Bi = np.repeat(B[i].astype(np.float64), h // g, axis=0)
        Ci = np.repeat(C[i].astype(np.float64), h // g, axis=0)
        xi = x[i].astype(np.float64)
        new = state[at[i]].astype(np.float64) * decay[:, None, None]
        new = new + step[:, None, None] * Bi[:, None, :] * xi[:, :, None]
        y = (new * Ci[:, None, :]).sum(-1)
        if D is not None:
            y = y + D[:, None] * xi
        if z is not None:
            zi = z[i].astype(np.float64)
            y = y * zi / (1 + np.exp(-zi))
        state[at[i]] = new
        out[i] = y
