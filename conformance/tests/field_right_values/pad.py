# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Shape, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
Side = Annotated[int, Range(0, 3)]


@kernel(sizes={"h": [3, 1, 0], "w": [4, 1]}, tolerance=0, promises=["fresh", "repeatable"])
def pad(
    x: Tensor[T, "h w", {"layout": "strided"}],
    pads: Optional[Union[Side, tuple[Side, Side]]],
    fill: Union[Annotated[float, Examples(0.5, -1.0, 0.0)], Literal["edge"]],
) -> Tensor[T, "_ _"]:
    if pads is None:
        pads = 0
    by = pads if isinstance(pads, tuple) else (pads, pads)
    if isinstance(fill, str):
        if x.size == 0:
            raise ValueError("nothing has no edge")
        return np.pad(x, [(by[0], by[0]), (by[1], by[1])], mode="edge")
    return np.pad(x, [(by[0], by[0]), (by[1], by[1])], constant_values=fill)


@kernel(
    refuses=[{"when": "by > 3", "kind": "ValueError", "message": "by must"}],
    parameters={"s": {"min": 0, "max": 100000}},
)
def padded_shape(s: Shape["h w"], by: Side) -> Shape:
    return (s[0] + 2 * by, s[1] + 2 * by)
