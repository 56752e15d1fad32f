# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Tensor, kernel

DENSE = {"layout": "contiguous"}


@kernel(
    sizes={"n": [3, 1, 6], "d": [8, 5]},
    where=["eps > 0", "weight is not None or dw is None"],
    refuses=[
        {"when": "eps <= 0", "kind": "ValueError", "message": "eps must be"},
        {"when": "weight is None and dw is not None", "kind": "ValueError", "message": "no weight"},
    ],
    promises=["atomic", "repeatable"],
    text="dx, dw and db of y = weight * (x - mean) / sqrt(var + eps) + bias",
)
def layernorm_bwd(
    dy: Tensor[np.float32, "n d", DENSE],
    x: Tensor[np.float32, "n d", DENSE],
    weight: Optional[Tensor[np.float32, "d", DENSE]],
    eps: Annotated[float, Examples(1e-5, 0.5)],
    dx: Out[Tensor[np.float32, "n d", DENSE]],
    dw: Optional[Out[Tensor[np.float32, "d", DENSE]]],
    db: Optional[Out[Tensor[np.float32, "d", DENSE]]],
) -> None:
    v, u = x.astype(np.float64), dy.astype(np.float64)
    centred = v - v.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + eps)
    normal = centred / deviation
    g = u if weight is None else u * weight
    dx[...] = (
        g - g.mean(axis=1, keepdims=True) - normal * (g * normal).mean(axis=1, keepdims=True)
    ) / deviation
    if dw is not None:
        dw[...] = (u * normal).sum(axis=0)
    if db is not None:
        db[...] = u.sum(axis=0)
