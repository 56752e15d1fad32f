# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

I = TypeVar("I", np.int64, np.int32)
DENSE = {"layout": "contiguous", "device": "cpu"}


@kernel(
    sizes={"v": [6, 1], "d": [4, 1, 0], "n": [7, 1, 0], "bags": [3, 1]},
    where=["offsets[0] == 0", "offsets[1:] >= offsets[:-1]", "offsets[-1] <= n"],
    refuses=[{"with": {"mode": "min"}, "kind": "ValueError"}],
    promises=["fresh", "atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "table": np.array([[1, 2], [3, 4], [5, 0]], np.float32),
                "indices": np.array([0, 1, 2], np.int64),
                "offsets": np.array([0, 2, 2], np.int64),
                "mode": "max",
                "per_sample_weights": None,
                "out": {"shape": [3, 2]},
            },
            "expected": {"out": "array([[3, 4], [0, 0], [5, 0]])", "result": "array([2, 0, 1])"},
            "text": "the second bag is empty",
        },
        {
            "arguments": {
                "table": np.array([[1, 2]], np.float32),
                "indices": np.array([0, 0], np.int64),
                "offsets": np.array([0], np.int64),
                "mode": "mean",
                "per_sample_weights": np.array([1, 2], np.float32),
                "out": {"shape": [1, 2]},
            },
            "refused": {"kind": "NotImplementedError"},
        },
    ],
)
def embedding_bag(
    table: Tensor[np.float32, "v d", DENSE],
    indices: Annotated[Tensor[I, "n", DENSE], Range(0, "v - 1")],
    offsets: Tensor[I, "bags", DENSE],
    mode: Literal["sum", "mean", "max"],
    per_sample_weights: Optional[Tensor[np.float32, "n", DENSE]],
    out: Out[Tensor[np.float32, "bags d", DENSE]],
) -> Tensor[I, "bags"]:
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("per_sample_weights need the mode sum")
    ends = np.append(offsets, len(indices))
    for b, (start, end) in enumerate(zip(ends, ends[1:])):
        rows = table[indices[start:end]].astype(np.float64)
        if per_sample_weights is not None:
            rows *= per_sample_weights[start:end, None]
        if not len(rows):
            out[b] = 0
        elif mode == "max":
            out[b] = rows.max(axis=0)
        else:
            out[b] = rows.sum(axis=0) / (len(rows) if mode == "mean" else 1)
    return np.diff(ends).astype(offsets.dtype)
