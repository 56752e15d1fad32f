# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel


@kernel
def fill_rows(
    x: InOut[Tensor[np.float32, "n d"]],
    rows: Union[
        Annotated[int, Range("-n", "n - 1")],
        Annotated[Tensor[np.int64, "m", {"spellings": ["object"]}], Range("-n", "n - 1")],
        list[Annotated[int, Range("-n", "n - 1")]],
    ],
    value: float,
) -> None:
    x[rows] = value
