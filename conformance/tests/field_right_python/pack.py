# SPDX-License-Identifier: Apache-2.0
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Shape, Tensor, kernel

try:
    from jaxtyping import Float32

    Flat = Float32[np.ndarray, "prod(s)"]
except ImportError:
    Flat = Tensor[np.float32, "prod(s)"]


@kernel(
    sizes={"n": [5, 0, 1, 8]},
    promises=["fresh", "repeatable"],
    calls=[{"arguments": {"x": {"elements": [1, 2, 15]}}, "expected": {"result": "[0x21, 0x0f]"}}],
)
def pack_nibbles(x: Annotated[Tensor[np.uint8, "n"], Range(0, 15)]) -> Tensor[np.uint8, "(n+1)//2"]:
    y = np.zeros((len(x) + 1) // 2, np.uint8)
    y[...] = x[::2]
    y[: len(x) // 2] |= x[1::2] << 4
    return y


@kernel
def unpack_nibbles(
    x: Tensor[np.uint8, "(n+1)//2"], n: Annotated[int, Examples(3, 4), Range(0, 1000)]
) -> Tensor[np.uint8, "n"]:
    return np.stack([x & 15, x >> 4], axis=1).reshape(-1)[:n].copy()


@kernel(
    tolerance=0,
    promises=["fresh"],
    calls=[
        {"arguments": {"x": np.array([7], np.float32), "s": []}, "expected": {"result": "7"}},
        {"arguments": {"x": np.arange(6, dtype=np.float32), "s": [3, 2]}},
        {
            "arguments": {"x": np.arange(6, dtype=np.float32), "s": [3, 3]},
            "refused": {"kind": "ValueError"},
        },
    ],
)
def reshape(x: Flat, s: Annotated[Shape, Range(0, 8)]) -> Tensor[np.float32, "..."]:
    return x.reshape(s).copy()


@kernel(tolerance=0, promises=["repeatable"])
def widen(x: Tensor[("float8_e4m3fn", "float8_e5m2"), "*s"]) -> Tensor[np.float32, "*s"]:
    return x.astype(np.float32)


@kernel(
    sizes={"n": [5, 0]},
    tolerance=1e-5,
    promises=["atomic"],
    parameters={"weights": {"text": "one for each row"}},
    calls=[
        {
            "arguments": {
                "x": np.arange(8, dtype=np.float32).reshape(4, 2),
                "weights": np.array([1, 0, -1, 2], np.float32),
                "bias": np.array(10, np.float32),
                "out": {"shape": [2]},
            },
            "expected": {"out": "10 + x[0] - x[2] + 2 * x[3]"},
        }
    ],
)
def mix(
    x: Tensor[np.float32, "rows=4 n", {"layout": "rows"}],
    weights: Tensor[np.float32, "4"],
    bias: Tensor[np.float32, ""],
    out: Out[Tensor[np.float32, "n"]],
) -> None:
    with np.errstate(all="ignore"):
        total = np.full(out.shape, np.float64(bias))
        for w, row in zip(weights.astype(np.float64), x.astype(np.float64)):
            total += w * row
        out[...] = total
