# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, ml_dtypes.bfloat16)
P = TypeVar("P", np.int32, np.int64)


@kernel(
    sizes={"n": 4, "hq": 4, "hk": 2, "d": [16, 12], "r": [8, 12], "m": 7},
    where=["r % 2 == 0", "r <= d"],
)
def rope_cached(
    q: Tensor[T, "n hq d"],
    k: Tensor[T, "n hk d"],
    q_out: Out[Tensor[T, "n hq d", {"alias": "q"}]],
    k_out: Out[Tensor[T, "n hk d", {"alias": "k"}]],
    cos_sin_cache: Tensor[np.float32, "m r"],
    pos_ids: Annotated[Tensor[P, "n"], Range(0, "m - 1")],
    interleave: bool,
) -> None:
    rot = cos_sin_cache.shape[1]
    cos = cos_sin_cache[pos_ids, None, : rot // 2]
    sin = cos_sin_cache[pos_ids, None, rot // 2 :]
    a = slice(0, rot, 2) if interleave else slice(0, rot // 2)
    b = slice(1, rot, 2) if interleave else slice(rot // 2, rot)
    for x, out in ((q, q_out), (k, k_out)):
        u = x[..., a].astype(np.float32)
        v = x[..., b].astype(np.float32)
        out[...] = x
        out[..., a] = u * cos - v * sin
        out[..., b] = v * cos + u * sin
