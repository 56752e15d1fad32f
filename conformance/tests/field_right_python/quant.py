# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray
from tvmffi_conform.kernels import DType, Examples, Out, Range, Tensor, kernel

Q = TypeVar("Q", np.int8, np.uint8)


@kernel(
    sizes={"n": [3, 0], "d": [5, 1, 64]},
    promises=["fresh", "repeatable", "atomic"],
    calls=[
        {
            "arguments": {
                "x": np.array([[0.5, 1.5, -2.5, 1e9], [np.nan, np.inf, -np.inf, -0.0]], np.float32),
                "scale": 1,
                "qtype": "int8",
                "zero": 1,
            },
            "expected": {"result[0]": "[[1, 3, -1, 127], [1, 127, -128, 1]]", "result[1]": "3"},
        },
        {
            "arguments": {
                "x": np.ones((1, 1), np.float32),
                "scale": 0.5,
                "qtype": "uint8",
                "zero": -1,
            },
            "refused": {"kind": "ValueError", "message": "zero must"},
        },
    ],
)
def quantize(
    x: Annotated[NDArray[np.float32], "n d"],
    scale: Annotated[float, Range(0.001, 1000)],
    qtype: DType[np.int8, np.uint8],
    zero: Annotated[int, Examples(0, 3), Range(-128, 255)],
) -> tuple[Tensor["qtype", "n d"], int]:
    limits = np.iinfo(qtype)
    if not limits.min <= zero <= limits.max:
        raise ValueError("zero must be a value of the type")
    with np.errstate(all="ignore"):
        v = np.rint(x.astype(np.float64) / scale) + zero
    v[np.isnan(v)] = zero
    clipped = int(((v < limits.min) | (v > limits.max)).sum())
    return np.clip(v, limits.min, limits.max).astype(qtype), clipped


@kernel(
    sizes={"n": [4, 1], "d": [3, 0, 16]},
    tolerance={"bfloat16": 1e-2, "float16": 2e-3},
    text="scales are one for each row, or one for all",
)
def dequantize(
    q: Tensor[Q, "n d"],
    scale: Tensor[np.float32, "#n"],
    zero: Optional[Tensor[Q, "n"]],
    out: Out[Tensor[("bfloat16", np.float16), "n d"]],
) -> None:
    v = q.astype(np.float64) - (0 if zero is None else zero.astype(np.float64)[:, None])
    with np.errstate(all="ignore"):
        out[...] = (v * scale.astype(np.float64)[:, None]).astype(out.dtype)
