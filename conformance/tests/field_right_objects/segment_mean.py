# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


@kernel(
    sizes={"n": [7, 0, 60], "m": [3, 1, 8], "d": [5, 1]},
    where=["at[0] == 0", "at[-1] == n", "at[1:] >= at[:-1]"],
    promises=["repeatable", "atomic"],
    refuses=[{"when": "at[0] > 0", "kind": "ValueError", "message": "begin with 0"}],
    tolerance=1e-5,
    calls=[
        {
            "arguments": {
                "x": np.array([[1, 2], [3, 6]], np.float32),
                "at": np.array([0, 0, 2], np.int64),
                "out": {"shape": [2, 2]},
                "fill": -1,
            },
            "expected": {"out": "[[-1, -1], [2, 4]]"},
        }
    ],
)
def segment_mean(
    x: Tensor[np.float32, "n d", {"layout": "rows"}],
    at: Tensor[I, "m+1", {"layout": "contiguous"}],
    out: Out[Tensor[np.float32, "m d", {"layout": "rows"}]],
    fill: Optional[Annotated[float, Examples(0.5, -2)]],
) -> None:
    for i, (a, b) in enumerate(zip(at, at[1:])):
        if a == b:
            out[i] = 0 if fill is None else fill
        else:
            out[i] = x[a:b].astype(np.float64).mean(axis=0)
