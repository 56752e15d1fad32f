# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import DType, Range, Tensor, kernel


@kernel(
    sizes={"m": [3, 1], "n": [8, 1, 100]},
    where=["isfinite(x)", "abs(x) <= 1e30"],
    promises=["repeatable", "fresh"],
    refuses=[{"with": {"qtype": "int16"}, "kind": "ValueError", "message": "int8 or uint8"}],
    calls=[
        {
            "arguments": {"x": np.array([[127, -2.5, 3.5, 0]], np.float32), "qtype": "int8"},
            "expected": {
                "result[0]": "[[127, -2, 4, 0]]",
                "result[1]": "(1,)",
                "result[2]": "None",
            },
        },
        {
            "arguments": {"x": np.zeros((2, 3), np.float32), "qtype": "uint8"},
            "expected": {"result[0]": "0", "result[1]": "(1, 1)", "result[2]": "(0, 0)"},
        },
        {
            "arguments": {"x": np.array([[np.nan, 1]], np.float32), "qtype": "uint8"},
            "refused": {"kind": "ValueError", "message": "too large"},
        },
    ],
)
def quantize_rows(
    x: Annotated[Tensor[np.float32, "m n", {"layout": "contiguous"}], Range(-1000, 1000)],
    qtype: DType[np.int8, np.uint8],
) -> tuple[
    Tensor[("int8", "uint8"), "m n"], Tensor[np.float32, "m"], Optional[Tensor[np.int32, "m"]]
]:
    f = np.float32
    low, high = np.minimum(x.min(axis=1), f(0)), np.maximum(x.max(axis=1), f(0))
    affine = np.dtype(qtype) == np.uint8
    scale = (high - low) / f(255) if affine else np.maximum(-low, high) / f(127)
    scale = np.where(scale < f(1e-30), f(1), scale).astype(np.float32)
    zero = np.rint(-low / scale).astype(np.int32) if affine else np.zeros(len(x), np.int32)
    q = np.rint(x / scale[:, None]).astype(np.int32) + zero[:, None]
    info = np.iinfo(qtype)
    return np.clip(q, info.min, info.max).astype(qtype), scale, zero if affine else None
