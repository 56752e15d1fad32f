# SPDX-License-Identifier: Apache-2.0
"""The loss of a classifier and its gradient."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)

logits = [[0.5, -1, 2], [3, 0, -2], [1, 1, 1], [-4, 0.25, 0]]
nan, inf = np.nan, np.inf


def call(
    text,
    x=logits,
    t=(2, 0, -100, 1),
    w=None,
    ignore=-100,
    eps=0.0,
    by="mean",
    grad=True,
    dtype=np.float32,
    index=np.int64,
):
    x = np.array(x, dtype)
    return {
        "arguments": {
            "logits": x,
            "target": np.array(t, index),
            "weight": None if w is None else np.array(w, dtype),
            "ignore_index": ignore,
            "label_smoothing": eps,
            "reduction": by,
            "grad": {"shape": list(x.shape), "dtype": x.dtype.name} if grad else None,
        },
        "text": text,
    }


def refused(text, kind, message, **more):
    return {**call(text, **more), "refused": {"kind": kind, "message": message}}


@kernel(
    sizes={"n": [4, 1, 0, 30], "c": [5, 1, 100]},
    where=[
        "(target == ignore_index) | ((target >= 0) & (target < c))",
    ],
    refuses=[
        {
            "when": "any((target != ignore_index) & ((target < 0) | (target >= c)))",
            "kind": "IndexError",
            "message": "target[",
        },
        {"with": {"label_smoothing": 1.5}, "kind": "ValueError", "message": "label_smoothing must"},
        {
            "with": {"label_smoothing": -0.5},
            "kind": "ValueError",
            "message": "label_smoothing must",
        },
        {"with": {"reduction": "max"}, "kind": "ValueError", "message": "reduction must be"},
    ],
    calls=[
        call("ignored rows do not count", by=by, w=w, dtype=dtype, eps=eps, index=index)
        for by, dtype, index in (
            ("mean", np.float32, np.int32),
            ("sum", np.float64, np.int64),
            ("none", np.float32, np.int64),
            ("mean", np.float64, np.int32),
        )
        for w, eps in ((None, 0.0), ([0.5, 2, 1], 0.0), ([0.5, 2, 1], 0.25))
    ]
    + [
        call("all rows ignored", t=[7, 7, 7, 7], ignore=7, by="mean"),
        call("all rows ignored, sum", t=[7, 7, 7, 7], ignore=7, by="sum"),
        call("a class may be the ignored one", t=[1, 0, 1, 2], ignore=1),
        call("no rows", x=np.zeros((0, 3)), t=[], by="mean"),
        call("no rows, sum", x=np.zeros((0, 3)), t=[], by="sum"),
        call("large logits", x=[[1000, 0, -1000], [5000, 5001, 0]], t=[0, 0]),
        call("masked classes", x=[[1, -inf, 2], [-inf, -inf, 0]], t=[0, 2]),
        call("NaN in a row", x=[[1, nan, 2], [1, 2, 0]], t=[0, 2], by="none"),
        call("all of the label smoothed", eps=1.0),
        refused("a negative target", "IndexError", "target[1]", t=[0, -1, 1, 2]),
        refused("a target too large", "IndexError", "target[3]", t=[0, 1, 1, 3], w=[1, 2, 3]),
        refused("the ignored one is another", "IndexError", "target[2]", ignore=-1),
    ],
    tolerance={"float32": 1e-5},
    promises=["atomic", "repeatable", "fresh"],
)
def cross_entropy(
    logits: Tensor[T, "n c", {"layout": "contiguous"}],
    target: Tensor[(np.int64, np.int32), "n", {"layout": "contiguous"}],
    weight: Optional[Annotated[Tensor[T, "c", {"layout": "contiguous"}], Range(0)]],
    ignore_index: Annotated[int, Examples(-100, 1)],
    label_smoothing: Annotated[float, Range(0, 1)],
    reduction: Literal["mean", "none", "sum"],
    grad: Optional[Out[Tensor[T, "n c", {"layout": "contiguous", "alias": "logits"}]]],
) -> Tensor[T, "..."]:
    with np.errstate(all="ignore"):
        x = logits.astype(np.float64)
        n, c = x.shape
        w = np.ones(c) if weight is None else weight.astype(np.float64)
        used = target != ignore_index
        at = np.where(used, target, 0)
        y = np.arange(c) == at[:, None]
        shifted = x - x.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        factor = (1 - label_smoothing) * w * y + label_smoothing / c * w
        loss = np.where(used, -np.where(factor == 0, 0, factor * log_p).sum(axis=1), 0)
        scale = 1 / np.where(used, w[at], 0).sum() if reduction == "mean" else 1
        if grad is not None:
            g = factor.sum(axis=1, keepdims=True) * np.exp(log_p) - factor
            grad[...] = np.where(used[:, None], scale * g, 0)
        if reduction == "none":
            return loss.astype(logits.dtype)
        return np.array(loss.sum() * scale, logits.dtype)
