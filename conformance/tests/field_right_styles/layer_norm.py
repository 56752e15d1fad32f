# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(
    sizes={"d": [16, 1, 300]},
    promises=["repeatable", "fresh"],
    refuses=[{"when": "eps > 1", "kind": "ValueError", "message": "eps: expected"}],
    parameters={"eps": {"value": 1e-5}},
    calls=[
        {
            "arguments": {
                "x": np.array([[3, 3, 3], [-1, 0, 1]], np.float32),
                "weight": None,
                "bias": np.array([1, 2, 3], np.float32),
                "eps": 1e-5,
            },
            "text": "a row of equal numbers becomes the bias",
        }
    ],
)
def layer_norm(
    x: Tensor[np.float32, "*batch d", {"spellings": ["object"]}],
    weight: Optional[Tensor[np.float32, "d"]],
    bias: Optional[Tensor[np.float32, "d"]],
    eps: Annotated[float, Range(1e-6, 1.0)],
) -> Tensor[np.float32, "*batch d"]:
    wide = x.astype(np.float64)
    centred = wide - wide.mean(axis=-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    if weight is not None:
        y = y * weight
    if bias is not None:
        y = y + bias
    return y.astype(np.float32)
