# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64, np.float16, "bfloat16")
Pad = Annotated[int, Examples(1, 2, 0), Range(0, 4096)]


@kernel(
    sizes={"n": [5, 1, 0]},
    promises=["fresh", "atomic", "repeatable"],
    refuses=[{"with": {"mode": "wrap"}, "kind": "NotImplementedError", "message": "Unrecognised"}],
    calls=[
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float32),
                "pads": (2, 1),
                "mode": "reflect",
                "value": None,
            },
            "expected": {"result": "array([3, 2, 1, 2, 3, 2])"},
        },
        {
            "arguments": {
                "x": np.array([1, 2, 3], np.float32),
                "pads": (2, 1),
                "mode": "reflect",
                "value": 1.0,
            },
            "refused": {"kind": "ValueError", "message": "doesn't take in value"},
        },
    ],
)
def pad1d(
    x: Tensor[T, "*batch n", {"layout": "contiguous", "device": "cpu"}],
    pads: tuple[Pad, Pad],
    mode: Literal["constant", "reflect", "replicate", "circular"],
    value: Optional[Annotated[float, Examples(0.5, -3.0)]],
) -> Tensor[T, "*batch _"]:
    if mode != "constant" and value is not None:
        raise ValueError("value is for constant padding")
    n, most = x.shape[-1], max(pads)
    if (
        most > 0
        and most > {"constant": most, "reflect": n - 1, "replicate": n * most, "circular": n}[mode]
    ):
        raise ValueError("more padding than input")
    at = np.arange(-pads[0], n + pads[1])
    if mode == "constant":
        out = np.full(x.shape[:-1] + at.shape, value or 0, x.dtype)
        out[..., pads[0] : pads[0] + n] = x
        return out
    if mode == "reflect":
        at = np.abs(at)
        at = np.where(at >= n, 2 * (n - 1) - at, at)
    elif mode == "replicate":
        at = np.clip(at, 0, max(n - 1, 0))
    elif n:
        at = at % n
    return x[..., at] if n else x.copy()
