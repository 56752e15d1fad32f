# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import ml_dtypes
import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
C = TypeVar("C", np.float32, np.float16, "bfloat16", "float8_e4m3fn")
ROWS = {"layout": "rows"}
F8 = ml_dtypes.float8_e4m3fn


def stored(x, scale, cache):
    if cache.dtype != F8:
        return x
    with np.errstate(all="ignore"):
        y = x.astype(np.float64) / (1 if scale is None else scale)
    return np.clip(y, -448, 448).astype(F8)


@kernel(
    text="puts keys and values into the slots of a paged cache; of equal slots the last token stays",
    sizes={
        "t": [4, 1, 0],
        "h": [2, 1],
        "d": [8, 3],
        "dv": [4, 8],
        "pages": [5, 2],
        "page_size": [4, 1],
    },
    where=[
        "k_scale is None or (isfinite(k_scale) and k_scale > 0)",
        "v_scale is None or (isfinite(v_scale) and v_scale > 0)",
    ],
    tolerance={"float32": 0, "float16": 0, "bfloat16": 0},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "padding, and a slot that is written twice",
            "arguments": {
                "key": np.arange(12).astype(np.float32).reshape(4, 1, 3),
                "value": -np.arange(8).astype(np.float32).reshape(4, 1, 2),
                "k_cache": np.full((2, 2, 1, 3), 9, np.float32),
                "v_cache": np.full((2, 2, 1, 2), 9, np.float32),
                "slot_mapping": np.array([3, -1, 0, 3], np.int64),
                "k_scale": None,
                "v_scale": None,
            },
        },
        {
            "text": "what is too large for float8 is its largest number",
            "arguments": {
                "key": np.array([[[1, -1000, 0.1]]], np.float32),
                "value": np.array([[[3, 300]]], np.float32),
                "k_cache": np.zeros((1, 2, 1, 3), F8),
                "v_cache": np.zeros((1, 2, 1, 2), F8),
                "slot_mapping": np.array([1], np.int32),
                "k_scale": 0.5,
                "v_scale": 2.0,
            },
        },
        {
            "text": "a scale without float8",
            "arguments": {
                "key": np.zeros((1, 1, 3), np.float32),
                "value": np.zeros((1, 1, 2), np.float32),
                "k_cache": np.zeros((1, 2, 1, 3), np.float32),
                "v_cache": np.zeros((1, 2, 1, 2), np.float32),
                "slot_mapping": np.array([1], np.int32),
                "k_scale": 0.5,
                "v_scale": None,
            },
            "refused": {"kind": "ValueError", "message": "k_scale"},
        },
    ],
)
def append_kv(
    key: Tensor[T, "t h d", ROWS],
    value: Tensor[T, "t h dv", ROWS],
    k_cache: InOut[Tensor[C, "pages page_size h d", ROWS]],
    v_cache: InOut[Tensor[C, "pages page_size h dv", ROWS]],
    slot_mapping: Annotated[
        Tensor[(np.int32, np.int64), "t", {"layout": "contiguous"}],
        Range(-1, "pages*page_size - 1"),
    ],
    k_scale: Annotated[Optional[float], Examples(0.5, 2.0)],
    v_scale: Annotated[Optional[float], Examples(1.0, 0.25)],
) -> int:
    if k_cache.dtype != F8:
        if k_cache.dtype != key.dtype:
            raise TypeError("k_cache: of neither the type of key nor float8_e4m3fn")
        if k_scale is not None or v_scale is not None:
            raise ValueError("scales are for float8_e4m3fn")
    page_size = k_cache.shape[1]
    written = 0
    for i, slot in enumerate(slot_mapping):
        if slot >= 0:
            k_cache[slot // page_size, slot % page_size] = stored(key[i], k_scale, k_cache)
            v_cache[slot // page_size, slot % page_size] = stored(value[i], v_scale, v_cache)
            written += 1
    return written
