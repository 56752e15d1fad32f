# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

DENSE = {"layout": "contiguous", "device": "cpu"}


@kernel(
    sizes={"n": [5, 1, 0], "c": [4, 1, 50]},
    promises=["fresh", "atomic", "repeatable"],
    tolerance={"float32": 1e-4},
    calls=[
        {
            "arguments": {
                "logits": np.array([[0, 0], [5, 1]], np.float32),
                "target": np.array([1, -100], np.int64),
                "weight": None,
                "grad": {"shape": [2, 2]},
                "reduction": "mean",
                "label_smoothing": 0.0,
            },
            "expected": {"result": "log(2)", "grad": "array([[0.5, -0.5], [0, 0]])"},
            "text": "the second row is ignored",
        }
    ],
)
def cross_entropy(
    logits: Annotated[
        Tensor[np.float32, "n c", {"layout": "strided", "device": "cpu"}], Range(-50, 50)
    ],
    target: Annotated[Tensor[np.int64, "n", DENSE], Range(most="c - 1")],
    weight: Optional[Annotated[Tensor[np.float32, "c", DENSE], Range(0, 8)]],
    grad: Optional[Out[Tensor[np.float32, "n c", DENSE]]],
    reduction: Literal["none", "mean", "sum"],
    label_smoothing: Annotated[float, Examples(0.0, 0.125), Range(0, 1)],
) -> Tensor[np.float32, "..."]:
    x = logits.astype(np.float64)
    n, c = x.shape
    w = np.ones(c) if weight is None else weight.astype(np.float64)
    top = x.max(axis=1, keepdims=True)
    each = np.log(np.exp(x - top).sum(axis=1, keepdims=True)) + top - x  # -log softmax
    counts = target >= 0
    label = np.where(counts, target, 0)
    hot = np.eye(c)[label]
    aim = (1 - label_smoothing) * w * hot + label_smoothing / c * w
    aim[~counts] = 0
    losses = (aim * each).sum(axis=1)
    divisor = w[label][counts].sum()
    share = 1 if reduction != "mean" else 1 / divisor if divisor else 0
    if grad is not None:
        grad[...] = ((np.exp(-each) * aim.sum(axis=1, keepdims=True) - aim) * share).astype(
            np.float32
        )
    if reduction == "none":
        return losses.astype(np.float32)
    return np.float32(losses.sum() * share).reshape(())
