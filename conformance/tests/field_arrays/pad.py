# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.uint8, np.int32, np.float16, np.float32, np.float64)
P = Annotated[int, Range(0, 64)]


@kernel(
    sizes={"n": [2], "c": [3], "h": [4, 1], "w": [5, 2]},
    refuses=[
        {"with": {"mode": "symmetric"}, "kind": "ValueError"},
        {
            "with": {"mode": "reflect", "value": 1.0, "pads": 0},
            "kind": "ValueError",
            "message": "constant",
        },
        {
            "with": {"mode": "reflect", "value": None, "pads": (0, 0, 4, 0), "h": 4},
            "kind": "ValueError",
        },
        {"with": {"mode": "constant", "pads": (1, 1, 1, 1, 1, 1)}},
        {"with": {"mode": "constant", "pads": (0, 0, 0, -1)}, "kind": "ValueError"},
    ],
    promises=["repeatable", "fresh"],
    tolerance=0,
)
def pad(
    x: Tensor[T, "n c h w", {"layout": "strided"}],
    pads: Union[Annotated[int, Examples(1, 0), Range(0, 64)], tuple[P, P, P, P]],
    mode: Literal["constant", "reflect", "replicate", "circular"],
    value: Optional[Annotated[float, Examples(0.0, 2.0, -1.5, 300.0)]],
) -> Tensor[T, "n c _ _"]:
    left, right, top, bottom = (pads,) * 4 if isinstance(pads, int) else pads
    h, w = x.shape[2:]
    if value is not None and mode != "constant":
        raise ValueError("value goes with mode constant only")
    v = 0.0 if value is None else value
    if x.dtype.kind in "iu":
        info = np.iinfo(x.dtype)
        if not (info.min <= v <= info.max) or v != np.floor(v):
            raise ValueError("value is not of the data type of x")
    for p, n in ((left, w), (right, w), (top, h), (bottom, h)):
        if mode == "reflect" and p > 0 and p >= n:
            raise ValueError("reflect: the pad must be less than the extent")
        if mode == "circular" and p > n:
            raise ValueError("circular: the pad must not exceed the extent")
        if mode == "replicate" and p > 0 and n == 0:
            raise ValueError("replicate: the extent is 0")
    at = ((0, 0), (0, 0), (top, bottom), (left, right))
    if mode == "constant":
        return np.pad(x, at, constant_values=np.asarray(v).astype(x.dtype))
    return np.pad(x, at, mode={"reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode])
