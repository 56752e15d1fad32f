# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Out, Range, Tensor, Values, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    parameters={"params": {"length": "p"}, "grads": {"length": "p"}},
    sizes={"p": [2, 1, 0], "n": [4, 0]},
    tolerance={"float32": 1e-5, "float64": 1e-12},
    promises=["atomic"],
    calls=[
        {
            "arguments": {
                "params": [np.array([1, 2], np.float32), np.array([3, 4], np.float32)],
                "grads": [np.array([1, 1], np.float32), np.array([2, -2], np.float32)],
                "rate": 0.5,
            },
            "expected": {"params[0]": "[0.5, 1.5]", "params[1]": "params[1] - rate * grads[1]"},
        }
    ],
)
def sgd(
    params: list[InOut[Tensor[T, "n"]]],
    grads: list[Tensor[T, "n"]],
    rate: Annotated[float, Examples(0.25), Range(0, 1)],
) -> None:
    for p, g in zip(params, grads):
        with np.errstate(all="ignore"):
            p[...] = p.astype(np.float64) - rate * g.astype(np.float64)


@kernel(name="scale_map", promises=["fresh"])
def scaled(
    weights: dict[str, Tensor[np.float32, "_"]], factor: float
) -> dict[str, Tensor[np.float32, "_"]]:
    with np.errstate(all="ignore"):
        return {k: (w.astype(np.float64) * factor).astype(np.float32) for k, w in weights.items()}


@kernel(
    promises=["repeatable"],
    calls=[{"arguments": {"keys": [3, 5, 3], "before": {"5": 10, "-1": 0}}}],
)
def tally(keys: list[int], before: dict[int, Annotated[int, Range(0, 1000)]]) -> dict[int, int]:
    counts = dict(before)
    for k in keys:
        counts[k] = counts.get(k, 0) + 1
    return counts


@kernel(
    sizes={"n": [5, 0, 64]},
    calls=[
        {
            "arguments": {
                "x": np.array([1, 3, 5, 7], np.float32),
                "window": 2,
                "work": {"shape": [4]},
                "out": {"shape": [4]},
            },
            "expected": {"out": "concat((x[:1], (x[1:] + x[:-1]) / 2))"},
        }
    ],
)
def running_mean(
    x: Tensor[np.float32, "n"],
    window: Annotated[int, Values(2, 1, 4)],
    work: Tensor[np.float64, "n", {"role": "scratch"}],
    out: Out[Tensor[np.float32, "n"]],
) -> None:
    v = x.astype(np.float64)
    for i in range(len(v)):
        part = v[max(0, i - window + 1) : i + 1]
        with np.errstate(all="ignore"):
            total = 0.0
            for e in part:
                total += e
            out[i] = total / len(part)


@kernel(checks=["arity", "kind", "dtype", "device", "layout"], tolerance=1e-6)
def decay(
    x: InOut[Tensor[np.float32, "...", {"alignment": 16}]], rate: Annotated[float, Range(0, 1)]
) -> None:
    with np.errstate(all="ignore"):
        x[...] = x.astype(np.float64) * rate
