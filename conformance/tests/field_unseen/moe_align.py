# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(sizes={"n": [6, 40], "k": 2})
def moe_align(
    topk_ids: Annotated[Tensor[np.int32, "n k"], Range(0, "experts - 1")],
    experts: Annotated[int, Range(1)],
    block: Annotated[int, Range(1)],
) -> tuple[Tensor[np.int32, "_"], Tensor[np.int32, "_"]]:
    ids, owners = [], []
    flat = topk_ids.ravel()
    for expert in range(experts):
        own = np.flatnonzero(flat == expert)
        blocks = -(-len(own) // block)
        ids += [*own, *[flat.size] * (blocks * block - len(own))]
        owners += [expert] * blocks
    return np.array(ids, np.int32), np.array(owners, np.int32)
