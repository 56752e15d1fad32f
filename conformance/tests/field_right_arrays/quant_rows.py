# SPDX-License-Identifier: Apache-2.0
import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel


@kernel(
    sizes={"n": [3, 1], "d": [6, 1, 17]},
    where=["isfinite(x)"],
    refuses=[
        {
            "with": {
                "x": {"dtype": "float32", "elements": [[1, "inf"]]},
                "q": {"shape": [1, 2]},
                "scale": {"shape": [1]},
            },
            "kind": "ValueError",
            "message": "no finite",
        }
    ],
    tolerance=1e-6,
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "halves go to the even neighbour, and a row of zeros has the scale 0",
            "arguments": {
                "x": np.array([[254, 1, 3, -5], [0, 0, 0, 0]], np.float16),
                "q": {"shape": [2, 4]},
                "scale": {"shape": [2]},
            },
            "expected": {"q": "[[127, 0, 2, -2], [0, 0, 0, 0]]", "scale": "[2, 0]"},
        }
    ],
)
def quant_rows(
    x: Tensor[(np.float32, np.float16), "n d", {"layout": "rows"}],
    q: Out[Tensor[np.int8, "n d", {"layout": "contiguous"}]],
    scale: Out[Tensor[np.float32, "n", {"layout": "contiguous"}]],
) -> None:
    wide = x.astype(np.float64)
    most = np.abs(wide).max(axis=1, initial=0)
    scale[...] = most / 127
    q[...] = np.rint(wide * 127 / np.where(most > 0, most, 1)[:, None])
