# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, np.float64)
STRIDED = {"layout": "strided"}


@kernel(
    sizes={"n": [7, 1, 60], "m": [3, 1, 0], "d": [2, 3, 0, 17]},
    where=["isfinite(points)", "isfinite(queries)"],
    refuses=[
        {"when": "k > n", "kind": "ValueError", "message": "k: from 1"},
        {"with": {"metric": "L2"}, "kind": "ValueError", "message": "metric: "},
    ],
    promises=["repeatable"],
    calls=[
        {
            "arguments": {
                "points": np.array([[1, 0], [0, 1], [0, 0], [0, 1]], np.float32),
                "queries": np.array([[0, 0], [0, 2]], np.float32),
                "k": 3,
                "metric": "l1",
                "nearest": {"shape": [2, 3], "dtype": "int64"},
                "distances": {"shape": [2, 3]},
            },
            "expected": {
                "nearest": "[[2, 0, 1], [1, 3, 2]]",
                "distances": "[[0, 1, 1], [1, 1, 2]]",
                "result": "2",
            },
        },
        {
            "arguments": {
                "points": np.array([[1, 0], [0, np.nan]], np.float64),
                "queries": np.array([[0, 0]], np.float64),
                "k": 1,
                "nearest": {"shape": [1, 1], "dtype": "int32"},
                "distances": None,
            },
            "refused": {"kind": "ValueError", "message": "finite"},
        },
    ],
)
def knn(
    points: Tensor[T, "n d", STRIDED],
    queries: Tensor[T, "m d", STRIDED],
    k: Annotated[int, Examples(1, 4), Range(1, "n")],
    metric: Literal["l2", "l1", "linf"],
    nearest: Out[Tensor[(np.int64, np.int32), "m k", STRIDED]],
    distances: Optional[Out[Tensor[np.float64, "m k"]]],
) -> float:
    largest = 0.0
    p = points.astype(np.float64)
    for i, q in enumerate(queries.astype(np.float64)):
        far = np.zeros(len(p))
        with np.errstate(all="ignore"):
            for c in range(p.shape[1]):
                apart = np.abs(q[c] - p[:, c])
                if metric == "l2":
                    far += apart * apart
                elif metric == "l1":
                    far += apart
                else:
                    far = np.maximum(far, apart)
        order = np.argsort(far, kind="stable")[:k]
        nearest[i] = order
        if distances is not None:
            distances[i] = far[order]
        largest = max(largest, float(far[order].max()))
    return largest
