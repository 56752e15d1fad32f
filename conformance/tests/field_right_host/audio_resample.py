# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

Rate = Annotated[int, Examples(16, 24, 44), Range(1, 192)]


@kernel(
    sizes={"c": [2, 1], "n": [12, 1, 0, 50]},
    parameters={"x": {"layout": "contiguous"}, "y": {"layout": "contiguous"}},
    refuses=[
        {"when": "from_khz < 1 or to_khz > 192", "kind": "ValueError", "message": "rates are from"}
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "x": np.array([[0, 1, 4]], np.float32),
                "from_khz": 1,
                "to_khz": 2,
                "y": {"shape": [1, 6]},
            },
            "expected": {"y": "array([[0, 0.5, 1, 2.5, 4, 4]])"},
        }
    ],
    text="linear interpolation; behind the last sample it is held",
)
def audio_resample(
    x: Tensor[np.float32, "c n"],
    from_khz: Rate,
    to_khz: Rate,
    y: Out[Tensor[np.float32, "c (n*to_khz)//from_khz"]],
) -> None:
    n = x.shape[1]
    at = np.arange(y.shape[1], dtype=np.int64) * from_khz
    left = at // to_khz
    right = np.minimum(left + 1, n - 1)
    part = (at % to_khz) / to_khz
    wide = x.astype(np.float64)
    y[...] = wide[:, left] * (1 - part) + wide[:, right] * part
