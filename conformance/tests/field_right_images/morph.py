# SPDX-License-Identifier: Apache-2.0
"""Erosion and dilation of images of bytes by a rectangle."""

from typing import Annotated, Literal

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, Values, kernel

BLOB = np.array([[0, 0, 0, 0, 9], [0, 7, 7, 0, 0], [0, 7, 7, 0, 0]], np.uint8)


def grown(x: np.ndarray, extent: int, axis: int, pick: np.ufunc) -> np.ndarray:
    reach = extent // 2
    widths = [(0, 0), (0, 0)]
    widths[axis] = (reach, reach)
    padded = np.pad(x, widths, mode="edge")
    n = x.shape[axis]
    return pick.reduce([np.take(padded, range(i, i + n), axis=axis) for i in range(extent)])


def both(x: np.ndarray, window: list[int], pick: np.ufunc) -> np.ndarray:
    return grown(grown(x, window[0], 0, pick), window[1], 1, pick)


def called(**changed: object) -> dict:
    call = {"x": BLOB, "op": "erode", "window": [3, 3], "times": 1, "out": {"shape": [3, 5]}}
    return {**call, **changed}


@kernel(
    sizes={"h": [6, 1, 20], "w": [7, 1, 33]},
    parameters={"window": {"length": 2}, "out": {"alias": "x"}},
    where=["len(window) == 2"],
    refuses=[
        {
            "when": '(op == "open" or op == "close") and times != 1',
            "kind": "NotImplementedError",
            "message": "is made once only",
        },
        {"when": "times > 8", "kind": "ValueError", "message": "times must be 1 to 8"},
        {"when": "times < 1", "kind": "ValueError", "message": "times must be 1 to 8"},
        {"when": "len(window) != 2", "kind": "ValueError", "message": "(height, width)"},
        {"with": {"window": [3, 7]}, "kind": "ValueError", "message": "window[1] must be"},
        {"with": {"window": [2, 3]}, "kind": "ValueError", "message": "window[0] must be"},
        {"with": {"window": [-1, 3]}, "kind": "ValueError", "message": "window[0] must be"},
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {"arguments": called(op="close")},
        {"arguments": called(op="open", window=[1, 5])},
        {"arguments": called(op="dilate", window=[9, 9], times=8)},
        {
            "arguments": called(op="open", times=2),
            "refused": {"kind": "NotImplementedError", "message": "open is made once only"},
        },
        {
            "arguments": called(op="tophat"),
            "refused": {"kind": "ValueError", "message": "no such op: tophat"},
        },
        {
            "arguments": called(window=[3]),
            "refused": {"kind": "ValueError", "message": "window must be"},
        },
    ],
)
def morph(
    x: Tensor[np.uint8, "h w", {"layout": "contiguous"}],
    op: Literal["erode", "dilate", "open", "close"],
    window: list[Annotated[int, Values(3, 1, 5, 9)]],
    times: Annotated[int, Range(1, 8)],
    out: Out[Tensor[np.uint8, "h w", {"layout": "contiguous"}]],
) -> None:
    if op in ("open", "close") and times != 1:
        raise NotImplementedError("once only")
    picks = {
        "erode": [np.minimum] * times,
        "dilate": [np.maximum] * times,
        "open": [np.minimum, np.maximum],
        "close": [np.maximum, np.minimum],
    }
    y = x
    for pick in picks[op]:
        y = both(y, window, pick)
    out[...] = y
