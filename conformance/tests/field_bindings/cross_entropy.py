# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
I = TypeVar("I", np.int32, np.int64)


class Loss(TypedDict):
    loss: float
    count: int


def call(smoothing, **more):
    return {
        "arguments": {
            "logits": np.array([[0, 0], [1000, 0], [0, 1]], np.float32),
            "target": np.array([0, 1, -1], np.int64),
            "weight": None,
            "smoothing": smoothing,
            "reduction": "sum",
            "losses": {"shape": [3]},
            "grad": {"shape": [3, 2], "dtype": "float32"},
        },
        **more,
    }


@kernel(
    sizes={"b": [5, 1, 0, 40], "c": [7, 1, 130]},
    where=[
        "0 <= smoothing < 1",
        "weight is None or weight >= 0",
        "weight is None or isfinite(weight)",
    ],
    parameters={
        "logits": {"layout": "rows"},
        "target": {"layout": "contiguous"},
        "weight": {"layout": "contiguous"},
        "losses": {"layout": "contiguous"},
        "grad": {"layout": "rows"},
    },
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        call(
            0.0,
            expected={
                "losses": "[log(2), 1000, 0]",
                "result.count": "2",
                "grad": "[[-0.5, 0.5], [1, -1], [0, 0]]",
            },
        ),
        call("nan", refused={"kind": "ValueError", "message": "smoothing"}),
        call(1.0, refused={"kind": "ValueError", "message": "smoothing"}),
        {
            "arguments": {**call(0.0)["arguments"], "target": np.array([0, -2, 1], np.int32)},
            "refused": {"kind": "IndexError", "message": "target[1]"},
        },
    ],
)
def cross_entropy(
    logits: Tensor[T, "b c"],
    target: Annotated[Tensor[I, "b"], Range(-1, "c - 1")],
    weight: Optional[Tensor[np.float32, "c"]],
    smoothing: Annotated[float, Examples(0.1, 0.0), Range(least=0)],
    reduction: Literal["mean", "sum"],
    losses: Out[Tensor[np.float32, "b"]],
    grad: Optional[Out[Tensor[T, "b c"]]],
) -> Loss:
    x = logits.astype(np.float64)
    b, c = x.shape
    used = target >= 0
    e = np.exp(x - x.max(axis=1, keepdims=True))
    logp = x - x.max(axis=1, keepdims=True) - np.log(e.sum(axis=1, keepdims=True))
    w = np.ones(c) if weight is None else weight.astype(np.float64)
    safe = np.where(used, target, 0)
    q = np.full((b, c), smoothing / c)
    q[np.arange(b), safe] += 1 - smoothing
    wt = np.where(used, w[safe], 0)
    rows = np.where(used, wt * -np.where(q > 0, q * logp, 0).sum(axis=1), 0)
    scale = 1.0
    if reduction == "mean":
        scale = 1 / wt.sum() if wt.sum() > 0 else 0.0
    losses[...] = rows
    if grad is not None:
        grad[...] = (wt * scale)[:, None] * (np.exp(logp) - q)
    return {"loss": float(rows.sum() * scale), "count": int(used.sum())}
