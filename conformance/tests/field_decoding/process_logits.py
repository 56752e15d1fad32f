# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, NotRequired, Optional, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Range, Tensor, kernel

WHOLE = {"layout": "contiguous"}
EITHER = {"layout": "contiguous", "spellings": ["borrowed", "object"]}


class Options(TypedDict):
    repetition_penalty: NotRequired[Annotated[float, Examples(1.5, 0.5)]]
    presence_penalty: NotRequired[Annotated[float, Examples(0.25, -1.0)]]
    frequency_penalty: NotRequired[Annotated[float, Examples(0.5, 0.0)]]
    temperature: NotRequired[Annotated[float, Examples(2.0, 0.5)]]


def words(*rows):
    return np.array(rows, np.uint32).view(np.int32)


@kernel(
    text="penalties, a processor, a mask of allowed tokens and temperature, in this order",
    sizes={"b": [2, 1, 0], "v": [40, 7, 64], "h": [5, 0, 1]},
    parameters={
        "processor": {"does": "x * 0.5 + 1"},
        "options": {"other_keys": "refused"},
    },
    let={
        "repetition": 'options["repetition_penalty"]',
        "presence": 'options["presence_penalty"]',
        "frequency": 'options["frequency_penalty"]',
        "heat": 'options["temperature"]',
    },
    where=[
        "repetition is None or (isfinite(repetition) and repetition > 0)",
        "heat is None or (isfinite(heat) and heat > 0)",
        "presence is None or isfinite(presence)",
        "frequency is None or isfinite(frequency)",
    ],
    tolerance={"float32": 1e-5},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "tokens that are repeated, of logits of both signs",
            "arguments": {
                "logits": np.array([[2, -2, 1, -1, 0], [4, 3, 2, 1, -4]], np.float32),
                "history": np.array([[0, 1, 0, -1], [4, 4, 4, 2]], np.int32),
                "options": {
                    "repetition_penalty": 2.0,
                    "presence_penalty": 0.5,
                    "frequency_penalty": 0.25,
                    "temperature": 0.5,
                },
                "mask": None,
                "processor": None,
            },
            "expected": {"logits": "[[0, -9.5, 2, -2, 0], [8, 6, 0.5, 2, -18.5]]"},
        },
        {
            "text": "only some tokens are allowed, the last ones in a word of their own",
            "arguments": {
                "logits": np.arange(68).astype(np.float32).reshape(2, 34),
                "history": np.full((2, 1), -1, np.int32),
                "options": {},
                "mask": words([0x80000001, 2], [0, 1]),
                "processor": None,
            },
        },
        {
            "text": "a processor that fails at the second row",
            "arguments": {
                "logits": np.ones((2, 3), np.float32),
                "history": np.array([[0, 1], [2, 2]], np.int32),
                "options": {"presence_penalty": 1.0},
                "mask": None,
                "processor": {"does": ["x + 1", "concat([x, x])"]},
            },
            "refused": {"kind": "ValueError", "message": "processor"},
        },
        {
            "arguments": {
                "logits": np.ones((1, 3), np.float32),
                "history": np.array([[0, 1]], np.int32),
                "options": {"temperature": 0.0},
                "mask": None,
                "processor": None,
            },
            "refused": {"kind": "ValueError", "message": "temperature"},
        },
    ],
)
def process_logits(
    logits: InOut[Tensor[np.float32, "b v", {"layout": "rows"}]],
    history: Annotated[Tensor[np.int32, "b h", WHOLE], Range(-1, "v - 1")],
    options: Options,
    mask: Optional[Tensor[np.int32, "b (v+31)//32", EITHER]],
    processor: Optional[Callable[[Tensor[np.float32, "v"]], Tensor[np.float32, "v"]]],
) -> None:
    b, v = logits.shape
    for r in range(b):
        x = logits[r].astype(np.float64)
        seen = history[r][history[r] >= 0]
        count = np.bincount(seen, minlength=v)
        penalty = options.get("repetition_penalty", 1)
        x = np.where(count > 0, np.where(x > 0, x / penalty, x * penalty), x)
        x -= np.where(count > 0, options.get("presence_penalty", 0), 0)
        x -= options.get("frequency_penalty", 0) * count
        x = x.astype(np.float32)
        if processor is not None:
            x = processor(x)
        x = x.astype(np.float64) / options.get("temperature", 1)
        if mask is not None:
            bits = np.unpackbits(mask[r].view(np.uint8), bitorder="little")[:v]
            x = np.where(bits == 1, x, -np.inf)
        logits[r] = x
