# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float16, "bfloat16")
I = TypeVar("I", np.int32, np.int64)


class Options(TypedDict):
    repetition: NotRequired[Annotated[float, Range(0.01, 100)]]
    presence: NotRequired[Annotated[float, Range(-2, 2)]]
    frequency: NotRequired[Annotated[float, Range(-2, 2)]]


class Touched(TypedDict):
    rows: int
    touched: int


f32 = np.float32
LOGITS = np.array([[1, -2, 3, -4, 0.5], [-1, 2, -3, 4, 0]], f32)
SEEN = np.array([[0, 1, 1, -1], [4, 2, -1, 2]], np.int32)


@kernel(
    sizes={"b": [3, 1, 0], "v": [50, 7], "h": [6, 1, 0, 40]},
    parameters={"options": {"other_keys": "refused"}},
    tolerance={"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2},
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"repetition": 2.0},
                "bias": None,
            }
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"repetition": 1.5, "presence": 0.25, "frequency": 0.5},
                "bias": {"0": 1.0, "4": -2.0},
            }
        },
        {
            "arguments": {
                "logits": LOGITS.astype(np.float16),
                "history": SEEN.astype(np.int64),
                "options": {},
                "bias": {"3": 5.0},
            }
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"presence": 1.0},
                "bias": {"-1": 1.0},
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"presence": 1.0},
                "bias": {"1": 1.0, "5": 1.0},
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": np.array([[0, 5], [0, 0]], np.int32),
                "options": {},
                "bias": None,
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": np.array([[0, -2], [0, 0]], np.int32),
                "options": {},
                "bias": None,
            },
            "refused": {"kind": "IndexError"},
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"repetition": 0.0},
                "bias": None,
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "logits": LOGITS,
                "history": SEEN,
                "options": {"repetition": -1.0},
                "bias": None,
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def apply_penalties(
    logits: InOut[Tensor[T, "b v"]],
    history: Annotated[Tensor[I, "b h"], Range(-1, "v - 1")],
    options: Options,
    bias: Optional[dict[int, float]],
) -> Touched:
    b, v = logits.shape
    if (history < -1).any() or (history >= v).any():
        raise IndexError("history: not a token")
    if not 0.01 <= options.get("repetition", 1.0) <= 100:
        raise ValueError("repetition has to be between 0.01 and 100")
    for key in bias or {}:
        if not 0 <= key < v:
            raise IndexError("bias: not a token")
    x = logits.astype(np.float64)
    touched = 0
    for r in range(b):
        ids, counts = np.unique(history[r][history[r] >= 0], return_counts=True)
        touched += len(ids)
        y = x[r, ids]
        rep = options.get("repetition", 1.0)
        y = np.where(y > 0, y / rep, y * rep)
        x[r, ids] = y - options.get("presence", 0.0) - options.get("frequency", 0.0) * counts
    for key, value in (bias or {}).items():
        x[:, key] += value
    logits[...] = x.astype(logits.dtype)
    return {"rows": b, "touched": touched}
