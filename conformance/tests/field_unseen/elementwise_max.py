# SPDX-License-Identifier: Apache-2.0
from functools import reduce
from typing import TypeVar

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

T = TypeVar("T", np.float32, np.int32)


@kernel
def elementwise_max(first: Tensor[T, "*s"], *others: Tensor[T, "*s"]) -> Tensor[T, "*s"]:
    return reduce(np.maximum, others, first)
