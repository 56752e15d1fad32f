# SPDX-License-Identifier: Apache-2.0
from typing import TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)


@kernel(sizes={"e": [8, 64], "k": 2}, where=["k <= e"])
def topk_gating(
    topk_weights: Out[Tensor[np.float32, "n k"]],
    topk_ids: Out[Tensor[np.int32, "n k"]],
    gating_output: Tensor[T, "n e"],
    renormalize: bool,
) -> None:
    k = topk_ids.shape[1]
    logits = gating_output.astype(np.float64)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    topk_ids[...] = np.argsort(-p, axis=1, kind="stable")[:, :k]
    chosen = np.take_along_axis(p, topk_ids, axis=1)
    topk_weights[...] = chosen / chosen.sum(axis=1, keepdims=True) if renormalize else chosen
