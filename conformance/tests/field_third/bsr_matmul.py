# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


@kernel(
    sizes={"k": [5, 7], "s": [2, 4], "r": 4, "w": 3, "n": [3, 16]},
    calls=[
        {
            "arguments": {
                "blocks": {"elements": [[[1, 2], [3, 4]]]},
                "columns": {"elements": [1]},
                "indptr": {"elements": [0, 0, 1, 1]},
                "x": {"elements": [[9], [9], [5], [6]]},
            },
            "expected": {"result": "[[0], [0], [17], [39], [0], [0]]"},
            "text": "rows without blocks are 0",
        }
    ],
    where=["s >= 1", "indptr[0] == 0", "indptr[-1] == k", "indptr[1:] >= indptr[:-1]"],
)
def bsr_matmul(
    blocks: Tensor[np.float32, "k s s"],
    columns: Annotated[Tensor[np.int32, "k"], Range(0, "w - 1")],
    indptr: Tensor[np.int32, "r+1"],
    x: Tensor[np.float32, "w*s n"],
) -> Tensor[np.float32, "r*s n"]:
    size = blocks.shape[1]
    out = np.zeros(((len(indptr) - 1) * size, x.shape[1]), np.float32)
    for r in range(len(indptr) - 1):
        for b in range(indptr[r], indptr[r + 1]):
            out[r * size : (r + 1) * size] += (
                blocks[b] @ x[columns[b] * size : (columns[b] + 1) * size]
            )
    return out
