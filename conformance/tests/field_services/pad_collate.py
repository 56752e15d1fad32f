# SPDX-License-Identifier: Apache-2.0
"""Collates sequences of different lengths into one padded batch."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.int64, np.int32, np.float32)


def arguments(samples, dtype=np.int64, **others):
    base = {"pad_value": 0.0, "side": "right", "max_length": None, "multiple": 1}
    return {"arguments": {"samples": [np.array(s, dtype) for s in samples], **base, **others}}


def refused(message, *given, kind="ValueError", **others):
    return {**arguments(*given, **others), "refused": {"kind": kind, "message": message}}


BATCH = [np.arange(9 * i, 137 * i) for i in range(1, 65)]  # as long as in training
TEXTS = [[5, 6, 7], [8], [1, 2, 3, 4, 9]]


@kernel(
    where=["len(samples) > 0"],
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        arguments(TEXTS),
        arguments(TEXTS, side="left", pad_value=-100.0),
        arguments(TEXTS, max_length=2),
        arguments(TEXTS, max_length=2, side="left"),
        arguments(TEXTS, multiple=8),
        arguments(TEXTS, max_length=3, multiple=4, side="left"),
        arguments(TEXTS, np.int32, pad_value=-1.0, multiple=3),
        arguments(TEXTS, np.float32, pad_value=0.5),
        arguments(TEXTS, np.float32, pad_value=float("nan"), side="left"),
        arguments(TEXTS, pad_value=1099511627777.0),
        arguments(TEXTS, np.int32, pad_value=2147483647.0),
        arguments([[], [4], []], multiple=2),
        arguments([[], []]),
        arguments(TEXTS, max_length=0),
        arguments(BATCH, side="left", max_length=8192, multiple=64),
        refused("samples", []),
        refused("pad_value", TEXTS, pad_value=0.5),
        refused("pad_value", TEXTS, np.int32, pad_value=2147483648.0),
        refused("side", TEXTS, side="both"),
        refused("multiple", TEXTS, multiple=0),
        refused("max_length", TEXTS, max_length=-1),
    ],
)
def pad_collate(
    samples: list[Tensor[T, "_", {"device": "cpu", "layout": "strided"}]],
    pad_value: Annotated[float, Examples(0.0, -100.0)],
    side: Literal["right", "left"],
    max_length: Optional[Annotated[int, Examples(2), Range(0)]],
    multiple: Annotated[int, Examples(1, 8), Range(1, 4096)],
) -> tuple[Tensor[T, "_ _"], Tensor[np.int64, "_"]]:
    dtype = samples[0].dtype
    if dtype != np.float32:
        bits = dtype.itemsize * 8 - 1
        if not (-(2.0**bits) <= pad_value < 2.0**bits) or pad_value != np.floor(pad_value):
            raise ValueError("pad_value must be an integer, as the elements of samples are")
    limit = max(len(s) for s in samples)
    if max_length is not None:
        limit = min(limit, max_length)
    width = -(-limit // multiple) * multiple
    fill = pad_value if dtype == np.float32 else int(pad_value)
    batch = np.full((len(samples), width), fill, dtype)
    lengths = np.zeros(len(samples), np.int64)
    for row, sample in enumerate(samples):
        kept = min(len(sample), limit)
        lengths[row] = kept
        if side == "left":
            batch[row, width - kept :] = sample[len(sample) - kept :]
        else:
            batch[row, :kept] = sample[:kept]
    return batch, lengths
