# SPDX-License-Identifier: Apache-2.0
"""What linear_scan.cc computes: h[t] = gate(a[t]) * h[t - 1] + b[t] in each of several sequences."""

from typing import Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

CPU = {"device": "cpu"}
T = TypeVar("T", np.float32, np.float16, np.float64)


@kernel(
    sizes={"t": [9, 1, 0, 40], "d": [6, 1, 64, 100], "s": [3, 1, 5]},
    where=["cu_seqlens[0] == 0", "cu_seqlens[-1] == t", "cu_seqlens[1:] >= cu_seqlens[:-1]"],
    refuses=[
        {"when": "cu_seqlens[-1] != t", "kind": "ValueError", "message": "cu_seqlens"},
        {"when": "cu_seqlens[0] != 0", "kind": "ValueError", "message": "cu_seqlens"},
        {"with": {"gate": "tanh"}, "kind": "ValueError", "message": "gate"},
    ],
    parameters={
        "a": CPU,
        "b": CPU,
        "cu_seqlens": CPU,
        "h0": CPU,
        "out": {"alias": ["a", "b"], **CPU},
        "final_state": CPU,
    },
    calls=[
        {
            "arguments": {
                "a": np.array([[2], [3], [0.5], [4]], np.float32),
                "b": np.array([[1], [1], [1], [1]], np.float32),
                "cu_seqlens": np.array([0, 2, 2, 4], np.int32),
                "h0": np.array([[1], [7], [8]], np.float32),
                "gate": "none",
                "reverse": False,
                "out": {"shape": [4, 1]},
                "final_state": {"shape": [3, 1]},
            },
            "expected": {"out": "[[3], [10], [5], [21]]", "final_state": "[[10], [7], [21]]"},
        },
        {
            "arguments": {
                "a": np.array([[1000], [-1000], [0], [1000]], np.float32),
                "b": np.array([[1], [2], [3], [4]], np.float32),
                "cu_seqlens": np.array([0, 3, 4], np.int64),
                "h0": None,
                "gate": "sigmoid",
                "reverse": True,
                "out": {"shape": [4, 1]},
                "final_state": {"shape": [2, 1]},
            },
            "expected": {"out": "[[3], [2], [3], [4]]", "final_state": "[[3], [4]]"},
        },
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3, "float64": 1e-9},
    promises=["atomic", "repeatable"],
    text="Sequence i is a[cu_seqlens[i]:cu_seqlens[i + 1]]; h0 and final_state have a row for each. "
    "An empty sequence ends as it begins.",
)
def linear_scan(
    a: Tensor[T, "t d", {"layout": "strided"}],
    b: Tensor[T, "t d", {"layout": "strided"}],
    cu_seqlens: Tensor[(np.int32, np.int64), "s+1"],
    h0: Optional[Tensor[T, "s d", {"layout": "strided"}]],
    gate: Literal["none", "sigmoid"],
    reverse: bool,
    out: Out[Tensor[T, "t d", {"layout": "strided"}]],
    final_state: Optional[Out[Tensor[T, "s d"]]],
) -> None:
    with np.errstate(all="ignore"):
        factor = a.astype(np.float64)
        if gate == "sigmoid":
            factor = 1 / (1 + np.exp(-factor))
        state = np.zeros((len(cu_seqlens) - 1, a.shape[1]))
        if h0 is not None:
            state[...] = h0
        held = np.zeros(a.shape)
        for q, (begin, end) in enumerate(zip(cu_seqlens, cu_seqlens[1:])):
            times = range(int(begin), int(end))
            for t in reversed(times) if reverse else times:
                state[q] = factor[t] * state[q] + b[t]
                held[t] = state[q]
        out[...] = held
        if final_state is not None:
            final_state[...] = state
