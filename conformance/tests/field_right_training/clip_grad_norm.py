# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Union

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Range, Tensor, Values, kernel


@kernel(
    name="clip_grad_norm_",
    parameters={"grads": {"length": [3, 1, 0]}},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "grads": [np.array([[3, 0]], np.float32), np.array([[-4.0]])],
                "max_norm": 2.5,
                "norm_type": 2.0,
                "error_if_nonfinite": True,
            },
            "expected": {
                "result": "5",
                "grads[0]": "array([[1.5, 0]])",
                "grads[1]": "array([[-2]])",
            },
        },
        {
            "arguments": {
                "grads": [np.array([[3, np.inf]], np.float32)],
                "max_norm": 1.0,
                "norm_type": "inf",
                "error_if_nonfinite": True,
            },
            "refused": {"kind": "RuntimeError", "message": "non-finite"},
        },
    ],
)
def clip_grad_norm(
    grads: list[InOut[Tensor[(np.float32, np.float64), "...", {"layout": "strided"}]]],
    max_norm: Annotated[float, Examples(1.0, 100.0), Range(least=0)],
    norm_type: Union[Annotated[float, Values(1.0, 2.0, 3.0)], Literal["inf"]],
    error_if_nonfinite: bool,
) -> float:
    wide = [np.abs(g.astype(np.float64)) for g in grads]
    if norm_type == "inf":
        total = max([a.max() for a in wide if a.size], default=0.0)
    else:
        total = sum(float((a**norm_type).sum()) for a in wide) ** (1 / norm_type)
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError("the total norm of the gradients is non-finite")
    scale = min(max_norm / (total + 1e-6), 1.0)
    for g in grads:
        g[...] = (g.astype(np.float64) * scale).astype(g.dtype)
    return float(total)
