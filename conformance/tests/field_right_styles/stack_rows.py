# SPDX-License-Identifier: Apache-2.0
import numpy as np
from tvmffi_conform.kernels import Tensor, kernel


@kernel(
    sizes={"d": [5, 1, 0]},
    parameters={"scale": {"value": 2.0, "min": -8, "max": 8}, "more": {"counts": [0, 1, 3]}},
    checks=["arity", "kind", "dtype", "rank", "shape", "device", "layout"],
    promises=["repeatable", "fresh"],
)
def stack_rows(
    scale: float, first: Tensor[np.float32, "d"], *more: Tensor[np.float32, "d"]
) -> Tensor[np.float32, "_ d"]:
    return (np.stack([first, *more]) * np.float64(scale)).astype(np.float32)
