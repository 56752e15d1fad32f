# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"m": [3, 1, 0], "n": [7, 1, 100]},
    tolerance=0,
    promises=["repeatable", "fresh"],
    refuses=[{"when": "k > n", "kind": "ValueError", "message": "k has to be"}],
    calls=[
        {
            "arguments": {"x": np.array([[2, 5, 2, 5, 1]], np.float32), "k": 4},
            "expected": {"result[0]": "[[5, 5, 2, 2]]", "result[1]": "[[1, 3, 0, 2]]"},
            "text": "of equal elements the first comes first",
        }
    ],
)
def topk(
    x: Tensor[T, "m n"], k: Annotated[int, Range(1, "n")]
) -> tuple[Tensor[T, "m k"], Tensor[np.int64, "m k"]]:
    order = np.argsort(-x, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(x, order, axis=1), order.astype(np.int64)
