# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
X = np.array([[1, 2, 3], [0, -1, 4], [2, 2, 2]], np.float32)


def call(text, **changed):
    arguments = {
        "logits": X,
        "target": np.array([2, 0, 1], np.int64),
        "weight": None,
        "ignore_index": -100,
        "label_smoothing": 0.0,
        "reduction": "mean",
        "grad": {"shape": [3, 3]},
    }
    arguments.update(changed)
    return {"text": text, "arguments": arguments}


def refused(text, kind, message, **changed):
    return {**call(text, **changed), "refused": {"kind": kind, "message": message}}


@kernel(
    text="The loss of a classifier, and its gradient. The mean is over the weights of the rows that count, 0 where there are none.",
    sizes={"n": [6, 1, 0], "c": [5, 100]},
    where=[
        "target == ignore_index or (target >= 0 and target < c)",
        "weight is None or (weight >= 0 and isfinite(weight))",
    ],
    tolerance={"float32": 1e-5, "float64": 1e-10},
    promises=["atomic", "repeatable", "fresh"],
    parameters={
        "logits": {"layout": "rows"},
        "target": {"layout": "contiguous"},
        "weight": {"layout": "contiguous"},
        "grad": {"layout": "rows", "alias": "logits"},
    },
    refuses=[
        {"when": "label_smoothing > 1", "kind": "ValueError", "message": "label_smoothing must be"},
        {"with": {"reduction": "batchmean"}, "kind": "ValueError", "message": "reduction must be"},
    ],
    calls=[
        call("some rows are ignored", target=np.array([2, -100, 1], np.int64)),
        call("all of them", target=np.array([-100, -100, -100], np.int32)),
        call("the sum, and an ignored class", ignore_index=1, reduction="sum"),
        call(
            "each row",
            reduction="none",
            target=np.array([-100, 1, 0], np.int32),
            label_smoothing=0.25,
        ),
        call("logits that are large", logits=X * 1000, reduction="none"),
        call("weights", weight=np.array([0.5, 2, 0], np.float32), label_smoothing=0.5),
        call(
            "weights of the rows add up to 0",
            weight=np.array([0, 0, 3], np.float32),
            target=np.array([0, 1, 1], np.int64),
        ),
        refused("negative", "IndexError", "target must be", target=np.array([2, 0, -1], np.int64)),
        refused("too large", "IndexError", "target must be", target=np.array([2, 3, 1], np.int32)),
        refused(
            "too large for 32 bits",
            "IndexError",
            "target must be",
            target=np.array([2, 2**32, 1], np.int64),
        ),
        refused(
            "negative weight",
            "ValueError",
            "weight must be",
            weight=np.array([1, -1, 1], np.float32),
        ),
        refused(
            "NaN as weight",
            "ValueError",
            "weight must be",
            weight=np.array([1, np.nan, 1], np.float32),
        ),
    ],
)
def cross_entropy(
    logits: Tensor[T, "n c"],
    target: Tensor[(np.int64, np.int32), "n"],
    weight: Optional[Annotated[Tensor[T, "c"], Range(0)]],
    ignore_index: Annotated[int, Examples(-100, 0, 3)],
    label_smoothing: Annotated[float, Examples(0, 0.1), Range(0, 1)],
    reduction: Literal["none", "mean", "sum"],
    grad: Optional[Out[Tensor[T, "n c"]]],
) -> Tensor[T, "..."]:
    n, c = logits.shape
    x = logits.astype(np.float64)
    w = np.ones(c) if weight is None else weight.astype(np.float64)
    use = target != ignore_index
    label = np.where(use, target, 0)
    with np.errstate(all="ignore"):
        x = x - x.max(axis=1, keepdims=True)
        logp = x - np.log(np.exp(x).sum(axis=1, keepdims=True))
        p = np.exp(logp)
        s = label_smoothing
        own = w[label] * use
        loss = (1 - s) * own * -logp[np.arange(n), label]
        gradient = (1 - s) * own[:, None] * (p - (np.arange(c) == label[:, None]))
        if s > 0:
            loss = loss + s / c * use * (w * -logp).sum(axis=1)
            gradient = gradient + s / c * use[:, None] * (p * w.sum() - w)
    share = 1.0
    if reduction == "mean":
        share = 1 / own.sum() if own.sum() > 0 else 0.0
    if grad is not None:
        grad[...] = gradient * share
    if reduction == "none":
        return loss.astype(logits.dtype)
    return np.asarray(loss.sum() * share, logits.dtype)
