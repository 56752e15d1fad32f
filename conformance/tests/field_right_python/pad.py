# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Any, Literal, Optional, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
P = Annotated[int, Range(0, 16)]


@kernel(
    sizes={"n": [3, 0, 1], "m": [4, 2]},
    tolerance=0,
    promises=["fresh", "repeatable"],
    refuses=[{"with": {"fill": "wrap"}, "kind": "ValueError", "message": "a number or edge"}],
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 2]], np.float32),
                "pads": [0, 1, 2, 0],
                "fill": "edge",
            },
            "expected": {"result": "[[1, 1, 1, 2], [1, 1, 1, 2]]"},
        },
        {"arguments": {"x": np.zeros((0, 2), np.float64), "pads": 1, "fill": float("nan")}},
        {
            "arguments": {"x": np.zeros((0, 2), np.float64), "pads": 0, "fill": "edge"},
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {"x": np.zeros((1, 2), np.float64), "pads": [0, 1, 2, 17], "fill": 0.0},
            "refused": {"kind": "ValueError"},
        },
    ],
)
def pad(
    x: Tensor[T, "n m", {"layout": "strided"}],
    pads: Union[P, tuple[P, P, P, P]],
    fill: Union[Annotated[float, Examples(-1.5, 0.0)], Literal["edge"]],
) -> Tensor[T, "_ _"]:
    top, bottom, left, right = (pads,) * 4 if isinstance(pads, int) else pads
    if fill == "edge":
        if x.size == 0:
            raise ValueError("an empty matrix has no edge")
        return np.pad(x, ((top, bottom), (left, right)), mode="edge")
    with np.errstate(all="ignore"):
        fill = x.dtype.type(fill)
    y = np.full((x.shape[0] + top + bottom, x.shape[1] + left + right), fill, x.dtype)
    y[top : top + x.shape[0], left : left + x.shape[1]] = x
    return y


@kernel
def is_none(x: Any, invert: Optional[bool]) -> bool:
    return (x is None) != bool(invert)


@kernel
def nothing(x: None) -> None:
    pass
