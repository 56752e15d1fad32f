# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

Weight = Annotated[int, Range(0, 256)]


@kernel(
    sizes={"h": [4, 1], "w": [5, 1, 33]},
    parameters={"gray": {"layout": "contiguous"}},
    promises=["repeatable", "atomic"],
    calls=[
        {
            "arguments": {
                "image": np.array(
                    [[[255, 255, 255], [0, 0, 0]], [[10, 20, 30], [255, 0, 0]]], np.uint8
                ),
                "weights": (256, 256, 256),
                "gray": {"shape": [2, 2]},
            },
            "expected": {"gray": "array([[255, 0], [60, 255]])"},
        }
    ],
)
def image_gray(
    image: Tensor[np.uint8, "h w 3", {"layout": "strided"}],
    weights: Optional[tuple[Weight, Weight, Weight]],
    gray: Out[Tensor[np.uint8, "h w"]],
) -> None:
    w = np.array((77, 150, 29) if weights is None else weights, np.int64)
    gray[...] = np.minimum((image.astype(np.int64) @ w + 128) >> 8, 255)
