# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float16, np.float32, np.float64)
I = TypeVar("I", np.int32, np.int64)
W = np.array([[-1, -2], [-3, -0.5], [4, -8], [-16, 32]], np.float32)


def call(text, **changed):
    arguments = {
        "weight": W,
        "indices": np.array([1, 0, 2, 2, 3], np.int64),
        "offsets": np.array([0, 2, 2, 5], np.int64),
        "per_sample_weights": None,
        "mode": "sum",
        "padding_idx": None,
        "out": {"shape": [3, 2]},
    }
    arguments.update(changed)
    return {"text": text, "arguments": arguments}


def refused(text, kind, message, **changed):
    return {**call(text, **changed), "refused": {"kind": kind, "message": message}}


@kernel(
    text="The sum, mean or maximum of the rows of weight that each bag names. Those that name padding_idx do not count; of no rows it is 0.",
    sizes={"v": [7, 100], "d": [5, 64], "m": [9, 0, 200], "b": [4, 1]},
    where=["offsets[0] == 0", "offsets[-1] == m", "offsets[1:] >= offsets[:-1]"],
    tolerance={"float16": 2e-3, "float32": 1e-6, "float64": 1e-12},
    promises=["atomic", "repeatable"],
    parameters={
        "weight": {"layout": "rows"},
        "indices": {"layout": "contiguous"},
        "offsets": {"layout": "contiguous"},
        "per_sample_weights": {"layout": "contiguous"},
        "out": {"layout": "rows"},
    },
    refuses=[
        {
            "when": 'per_sample_weights is not None and mode != "sum"',
            "kind": "ValueError",
            "message": "per_sample_weights",
        },
        {
            "when": "padding_idx is not None and padding_idx >= v",
            "kind": "ValueError",
            "message": "padding_idx must be",
        },
        {
            "when": "padding_idx is not None and padding_idx < 0",
            "kind": "ValueError",
            "message": "padding_idx must be",
        },
        {"when": "any(indices < 0)", "kind": "IndexError", "message": "indices must be"},
        {"when": "any(indices >= v)", "kind": "IndexError", "message": "indices must be"},
        {"when": "offsets[-1] != m", "kind": "ValueError", "message": "offsets must"},
        {"with": {"mode": "prod"}, "kind": "ValueError", "message": "mode must be"},
    ],
    calls=[
        call("an empty bag is 0"),
        call("so it is for max", mode="max"),
        call("the mean of those that count", mode="mean", padding_idx=2),
        call(
            "bags of nothing but padding",
            mode="max",
            indices=np.array([0, 0, 2, 2, 2], np.int64),
            padding_idx=0,
        ),
        call(
            "a weight for each index",
            per_sample_weights=np.array([1, 2, -1, 0.5, 3], np.float32),
            indices=np.array([1, 0, 2, 2, 3], np.int32),
            offsets=np.array([0, 2, 2, 5], np.int32),
        ),
        refused(
            "offsets fall", "ValueError", "offsets must", offsets=np.array([0, 4, 2, 5], np.int64)
        ),
        refused(
            "offsets start late",
            "ValueError",
            "offsets must",
            offsets=np.array([1, 2, 2, 5], np.int64),
        ),
        refused(
            "offsets end late",
            "ValueError",
            "offsets must",
            offsets=np.array([0, 2, 2, 6], np.int64),
        ),
        refused(
            "offsets end early",
            "ValueError",
            "offsets must",
            offsets=np.array([0, 2, 2, 4], np.int64),
        ),
    ],
)
def embedding_bag(
    weight: Tensor[T, "v d"],
    indices: Annotated[Tensor[I, "m"], Range(0, "v - 1")],
    offsets: Annotated[Tensor[I, "b+1"], Range(0, "m")],
    per_sample_weights: Optional[Tensor[T, "m"]],
    mode: Literal["sum", "mean", "max"],
    padding_idx: Optional[Annotated[int, Range(0, "v - 1")]],
    out: Out[Tensor[T, "b d"]],
) -> None:
    if per_sample_weights is not None and mode != "sum":
        raise ValueError("per_sample_weights is only for mode sum")
    wide = weight.astype(np.float64)
    for i in range(len(offsets) - 1):
        part = np.arange(offsets[i], offsets[i + 1])
        if padding_idx is not None:
            part = part[indices[part] != padding_idx]
        rows = wide[indices[part]]
        if len(part) == 0:
            out[i] = 0
        elif mode == "max":
            out[i] = rows.max(axis=0)
        elif mode == "mean":
            out[i] = rows.mean(axis=0)
        else:
            factors = (
                1
                if per_sample_weights is None
                else per_sample_weights[part, None].astype(np.float64)
            )
            out[i] = (rows * factors).sum(axis=0)
