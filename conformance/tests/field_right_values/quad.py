# SPDX-License-Identifier: Apache-2.0
import zlib
from typing import Annotated, Callable, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

End = Annotated[float, Range(-10, 10)]


@kernel(
    parameters={"f": {"parameters": [{"name": "x", "kind": "float"}], "does": "3*x*x - 1"}},
    tolerance=1e-7,
    promises=["repeatable"],
)
def integrate(
    f: Callable[[float], float], a: End, b: End, steps: Annotated[int, Range(1, 100)]
) -> float:
    h = (b - a) / steps
    x = a + (np.arange(steps) + 0.5) * h
    return float((3 * x * x - 1).sum() * h)


@kernel(promises=["repeatable"])
def digest(
    data: Annotated[
        bytes, Examples(b"", b"abc", b"a text of more than eight bytes", "\u00e9\u4e16".encode())
    ],
    method: Literal["fnv", "crc"],
) -> int:
    if method == "crc":
        return zlib.crc32(data)
    h = 2166136261
    for byte in data:
        h = (h ^ byte) * 16777619 % 2**32
    return h


@kernel(parameters={"parts": {"length": [3, 1, 0]}})
def heaviest(parts: list[Tensor[np.int32, "_"]]) -> Optional[Tensor[np.int32, "_"]]:
    if not parts:
        return None
    return max(parts, key=lambda t: t.astype(np.int64).sum())
