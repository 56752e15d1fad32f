# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel


@kernel(sizes={"b": [3, 50], "v": [10, 300]})
def top_p_renorm(
    probs: Tensor[np.float32, "b v"],
    top_p: Union[
        Annotated[float, Range(0.01, 1)],
        Annotated[Tensor[np.float32, "b", {"spellings": ["object"]}], Range(0.01, 1)],
    ],
    out: Out[Tensor[np.float32, "b v"]],
) -> None:
    share = np.broadcast_to(np.asarray(top_p, np.float64), probs.shape[:1])
    out[...] = 0
    for i, row in enumerate(probs.astype(np.float64)):
        order = np.argsort(-row, kind="stable")
        total, kept = 0.0, 0
        while kept < row.size and (kept == 0 or total < share[i]):
            total += row[order[kept]]
            kept += 1
        out[i, order[:kept]] = row[order[:kept]] / total
