# SPDX-License-Identifier: Apache-2.0
"""What cross_entropy.cc computes: losses, their sum or mean, and the gradient of that."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

CPU = {"device": "cpu"}
T = TypeVar("T", np.float32, np.float16, np.float64)


@kernel(
    sizes={"n": [4, 1, 0, 9], "c": [5, 1, 40]},
    where=["c >= 1", "(target >= 0 and target < c) or target == ignore_index"],
    refuses=[
        {"with": {"reduction": "none"}, "kind": "ValueError", "message": "reduction"},
        {"with": {"c": 0}, "kind": "ValueError", "message": "class"},
        {"when": "label_smoothing > 1", "kind": "ValueError", "message": "label_smoothing"},
        {"when": "label_smoothing < 0", "kind": "ValueError", "message": "label_smoothing"},
    ],
    parameters={
        "logits": CPU,
        "target": CPU,
        "class_weight": CPU,
        "losses": CPU,
        "grad": {"alias": "logits", **CPU},
        "ignore_index": {"value": -100},
    },
    calls=[
        {
            "arguments": {
                "logits": np.array(
                    [[1000, 0, -1000], [0, 0, 0], [1, 2, 3], [-5, -6, -7]], np.float32
                ),
                "target": np.array([0, -100, 2, 1], np.int64),
                "class_weight": None,
                "ignore_index": -100,
                "label_smoothing": 0.0,
                "reduction": "mean",
                "losses": {"shape": [4]},
                "grad": {"shape": [4, 3]},
            },
        },
        {
            "arguments": {
                "logits": np.array([[1, 0, -np.inf], [0, 3, 0]], np.float64),
                "target": np.array([0, 1], np.int32),
                "class_weight": np.array([1, 2, 0.5], np.float64),
                "ignore_index": 1,
                "label_smoothing": 0.0,
                "reduction": "sum",
                "losses": {"shape": [2]},
                "grad": None,
            },
        },
        {
            "arguments": {
                "logits": np.array([[1, 0, 2], [0, 3, 0]], np.float32),
                "target": np.array([0, -1], np.int64),
                "class_weight": None,
                "ignore_index": -100,
                "label_smoothing": 0.0,
                "reduction": "sum",
                "losses": {"shape": [2]},
                "grad": None,
            },
            "refused": {"kind": "IndexError", "message": "target"},
        },
    ],
    tolerance={"float32": 1e-5, "float16": 2e-3, "float64": 1e-9},
    promises=["atomic", "repeatable"],
    text="As torch's cross_entropy: a mean is one by the weights of the targets that are not ignored.",
)
def cross_entropy(
    logits: Tensor[T, "n c", {"layout": "rows"}],
    target: Tensor[(np.int64, np.int32), "n"],
    class_weight: Optional[Tensor[T, "c"]],
    ignore_index: Annotated[int, Examples(-100, 0, 1)],
    label_smoothing: Annotated[float, Range(0, 1)],
    reduction: Literal["mean", "sum"],
    losses: Out[Tensor[T, "n"]],
    grad: Optional[Out[Tensor[T, "n c", {"layout": "rows"}]]],
) -> float:
    n, c = logits.shape
    z = logits.astype(np.float64)
    weight = np.ones(c) if class_weight is None else class_weight.astype(np.float64)
    loss = np.zeros(n)
    slope = np.zeros((n, c))
    total = 0.0
    with np.errstate(all="ignore"):
        for i in range(n):
            t = int(target[i])
            if t == ignore_index:
                continue
            total += weight[t]
            most = z[i].max()
            lse = most + np.log(np.exp(z[i] - most).sum())
            loss[i] = (1 - label_smoothing) * weight[t] * (lse - z[i, t])
            p = np.exp(z[i] - lse)
            slope[i] = (1 - label_smoothing) * weight[t] * (p - (np.arange(c) == t))
            if label_smoothing > 0:
                loss[i] += label_smoothing / c * (weight * (lse - z[i])).sum()
                slope[i] += label_smoothing / c * (p * weight.sum() - weight)
        divisor = np.float64(total if reduction == "mean" else 1)
        kept = target != ignore_index
        losses[...] = loss
        if grad is not None:
            grad[...] = np.where(kept[:, None], slope / divisor, 0)
        return float(loss.sum() / divisor)
