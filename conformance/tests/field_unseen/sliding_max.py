# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(sizes={"n": [9, 50]})
def sliding_max(
    x: Tensor[np.float32, "*batch n"],
    window: Annotated[int, Range(1, "n")],
    step: Annotated[int, Range(1)],
) -> Tensor[np.float32, "*batch (n-window)//step+1"]:
    return np.lib.stride_tricks.sliding_window_view(x, window, axis=-1)[..., ::step, :].max(axis=-1)
