# SPDX-License-Identifier: Apache-2.0
"""Packs parameters of any shape into one flat buffer, each at an aligned offset."""

from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, np.float64, np.int8)


def arguments(shapes, size, dtype=np.float32, **others):
    params, first = [], 1
    for shape in shapes:
        count = int(np.prod(shape))
        params.append(np.arange(first, first + count).astype(dtype).reshape(shape))
        first += count
    flat = np.full(size, 99, dtype)
    return {"arguments": {"params": params, "flat": flat, "align": 1, "zero_gaps": False, **others}}


def refused(message, *given, **others):
    error = {"kind": "ValueError", "message": message}
    return {**arguments(*given, **others), "refused": error}


LAYER = [(4, 3), (4,), (), (2, 1, 3)]


@kernel(
    parameters={"flat": {"layout": "contiguous"}, "align": {"text": "in elements"}},
    sizes={"size": [64, 200]},
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        arguments(LAYER, 23),
        arguments(LAYER, 30),
        arguments(LAYER, 40, align=8),
        arguments(LAYER, 40, align=8, zero_gaps=True),
        arguments(LAYER, 38, align=8, zero_gaps=True),
        arguments(LAYER, 27, align=3, zero_gaps=True),
        arguments(LAYER, 64, np.float16, align=16, zero_gaps=True),
        arguments(LAYER, 64, np.float64, align=12),
        arguments(LAYER, 64, np.int8, align=16),
        arguments([(), (), ()], 9, align=4),
        arguments([(0,), (2, 0), (3,)], 5, align=2),
        arguments([], 0),
        arguments([], 4, align=16),
        refused("flat", LAYER, 22),
        refused("flat", LAYER, 37, align=8),
        refused("align", LAYER, 64, align=0),
        refused("align", LAYER, 64, align=65537),
    ],
)
def pack_params(
    params: list[Tensor[T, "...", {"device": "cpu", "layout": "strided"}]],
    flat: InOut[Tensor[T, "size", {"device": "cpu"}]],
    align: Annotated[int, Examples(4, 1, 3), Range(1, 65536)],
    zero_gaps: bool,
) -> list[int]:
    offsets, end = [], 0
    for param in params:
        at = -(-end // align) * align
        offsets.append(at)
        end = at + param.size
    if end > flat.size:
        raise ValueError("flat has not enough elements")
    last = 0
    for param, at in zip(params, offsets):
        if zero_gaps:
            flat[last:at] = 0
        last = at + param.size
        flat[at:last] = param.reshape(-1)
    return [*offsets, end]
