# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel


@kernel(
    sizes={"d": [8, 64], "p": 3},
    calls=[
        {
            "arguments": {
                "x": {"elements": [[1, 2], [3, 4]]},
                "lora_a": [
                    {"elements": [[1, 0]], "dtype": "float32"},
                    {"elements": [[1, 1], [0, 2]], "dtype": "float32"},
                ],
                "lora_b": [
                    {"elements": [[2]], "dtype": "float32"},
                    {"elements": [[1, 10]], "dtype": "float32"},
                ],
                "scales": [1.0, 2.0],
                "adapters": {"elements": [0, 1]},
                "out": {"elements": [[0], [5]]},
            },
            "expected": {"out": "[[2], [179]]"},
            "text": "adapters of different ranks",
        }
    ],
    parameters={"lora_a": {"length": "p"}, "lora_b": {"length": "p"}, "scales": {"length": "p"}},
)
def lora_apply(
    x: Tensor[np.float32, "n d"],
    lora_a: list[Tensor[np.float32, "r d"]],
    lora_b: list[Tensor[np.float32, "o r"]],
    scales: list[float],
    adapters: Annotated[Tensor[np.int32, "n"], Range(-1, "p - 1")],
    out: InOut[Tensor[np.float32, "n o"]],
) -> None:
    for i, adapter in enumerate(adapters):
        if adapter >= 0:
            out[i] += scales[adapter] * (lora_b[adapter] @ (lora_a[adapter] @ x[i]))
