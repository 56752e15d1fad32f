# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel


@kernel(
    sizes={"m": [3, 1, 0], "k": [32, 16]},
    where=["k % group_size == 0", "scale_ub is None or scale_ub > 0"],
    tolerance={"float32": 1e-6, "float8_e4m3fn": 0},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "a group of zeros, one of negative numbers, one beyond the bound",
            "arguments": {
                "x": np.array([[0, 0, 0, 0, -4, -2, -1, 0, 300, -200, 50, 7]], np.float32),
                "q": {"shape": [1, 12], "dtype": dtype},
                "scales": {"shape": [1, 3]},
                "group_size": 4,
                "eps": 1e-10,
                "scale_ub": 100.0,
                "ue8m0": ue8m0,
            },
        }
        for dtype in ("int8", "float8_e4m3fn")
        for ue8m0 in (False, True)
    ],
)
def group_quant(
    x: Tensor[(np.float32, np.float16, "bfloat16"), "m k", {"layout": "rows", "device": "cpu"}],
    q: Out[Tensor[(np.int8, "float8_e4m3fn"), "m k", {"layout": "contiguous", "device": "cpu"}]],
    scales: Out[Tensor[np.float32, "m k//group_size", {"layout": "strided", "device": "cpu"}]],
    group_size: Annotated[int, Examples(8, 16, 1), Range(least=1)],
    eps: Annotated[float, Examples(1e-10, 1e-6), Range(1e-30, 1)],
    scale_ub: Optional[Annotated[float, Examples(1.5, 1200.0), Range(most=1e30)]],
    ue8m0: bool,
) -> None:
    int8 = q.dtype == np.int8
    groups = x.astype(np.float64).reshape(*scales.shape, group_size)
    top = np.abs(groups).max(axis=2)
    if scale_ub is not None:
        top = np.minimum(top, scale_ub)
    scale = np.maximum(top, eps) / (127 if int8 else 448)
    if ue8m0:
        fraction, exponent = np.frexp(scale)
        scale = np.ldexp(1.0, np.where(fraction == 0.5, exponent - 1, exponent))
    scales[...] = scale
    values = groups.astype(np.float32) / scale.astype(np.float32)[:, :, None]
    values = values.reshape(x.shape)
    if int8:
        q[...] = np.clip(np.rint(values), -127, 127)
    else:
        q[...] = np.clip(values, -448, 448).astype(ml_dtypes.float8_e4m3fn)
