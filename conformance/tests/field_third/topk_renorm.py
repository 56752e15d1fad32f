# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


@kernel(sizes={"b": 3, "v": [8, 40]})
def topk_renorm(
    probs: Annotated[Tensor[np.float32, "b v"], Range(0, 1)],
    top_k: Union[Annotated[int, Range(1, None)], Annotated[Tensor[np.int32, "b"], Range(1, None)]],
    indices: Optional[Annotated[Tensor[I, "m"], Range(0, "b - 1")]],
) -> Tensor[np.float32, "_ v"]:
    rows = np.arange(len(probs)) if indices is None else indices
    out = np.zeros((len(rows), probs.shape[1]), np.float32)
    for i, row in enumerate(rows):
        k = top_k if np.isscalar(top_k) else top_k[row]
        best = np.argsort(-probs[row], kind="stable")[:k]
        total = probs[row][best].sum(dtype=np.float64)
        if total > 0:
            out[i, best] = probs[row][best] / total
    return out
