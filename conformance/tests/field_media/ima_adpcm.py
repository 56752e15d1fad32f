# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import InOut, Out, Range, Tensor, kernel

STEPS = [7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130,
         143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282,
         1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630,
         9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767]  # fmt: skip
MOVES = [-1, -1, -1, -1, 2, 4, 6, 8]
WHERE = ["state is None or state[:, 1] >= 0", "state is None or state[:, 1] <= 88"]


def step(predictor, index, code):
    s = STEPS[index]
    delta = (
        (s >> 3)
        + (s if code & 4 else 0)
        + (s >> 1 if code & 2 else 0)
        + (s >> 2 if code & 1 else 0)
    )
    predictor = min(32767, max(-32768, predictor + (-delta if code & 8 else delta)))
    return predictor, min(88, max(0, index + MOVES[code & 7]))


def code_of(predictor, index, sample):
    s, diff = STEPS[index], sample - predictor
    code = 8 if diff < 0 else 0
    diff = abs(diff)
    for bit in (4, 2, 1):
        if diff >= s:
            code |= bit
            diff -= s
        s >>= 1
    return code


@kernel(
    sizes={"c": [2, 1, 0], "n": [20, 7, 1, 0, 400]},
    where=WHERE,
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {"arguments": {"pcm": np.array([[0, 100, -3000, 32767, -32768]], np.int16), "state": None}},
        {
            "arguments": {
                "pcm": np.array([[32767] * 9, [-32768] * 9], np.int16),
                "state": np.array([[0, 86], [5, 88]], np.int32),
            }
        },
        {
            "arguments": {
                "pcm": np.zeros((2, 4), np.int16),
                "state": np.array([[0, 5], [5, 89]], np.int32),
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "pcm": np.zeros((2, 4), np.int16),
                "state": np.array([[0, 5], [5, -1]], np.int32),
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "pcm": np.zeros((2, 4), np.int16),
                "state": np.array([[0, 5], [40000, 5]], np.int32),
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    parameters={"pcm": {"layout": "rows"}},
)
def adpcm_encode(
    pcm: Tensor[np.int16, "c n"],
    state: Optional[Annotated[InOut[Tensor[np.int32, "c 2"]], Range(-32768, 32767)]],
) -> Tensor[np.uint8, "c (n+1)//2"]:
    c, n = pcm.shape
    codes = np.zeros((c, (n + 1) // 2), np.uint8)
    for k in range(c):
        p, i = (0, 0) if state is None else map(int, state[k])
        for t in range(n):
            code = code_of(p, i, int(pcm[k, t]))
            p, i = step(p, i, code)
            codes[k, t // 2] |= code << 4 if t % 2 else code
        if state is not None:
            state[k] = (p, i)
    return codes


@kernel(
    sizes={"c": [2, 1, 0], "n": [20, 7, 1, 0, 400]},
    where=WHERE,
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "codes": np.array([[0x77, 0x77, 0x0F]], np.uint8),
                "state": None,
                "out": {"shape": [1, 5]},
            }
        },
        {
            "arguments": {
                "codes": np.full((2, 9), 0x77, np.uint8),
                "state": np.array([[-32768, 80], [5, 88]], np.int32),
                "out": {"shape": [2, 18]},
            }
        },
        {
            "arguments": {
                "codes": np.full((2, 2), 0x77, np.uint8),
                "state": np.array([[0, 0], [5, -2]], np.int32),
                "out": {"shape": [2, 4]},
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    sequences=[
        {
            "text": "a call without a state begins anew",
            "repeatable": True,
            "steps": [
                {
                    "call": "adpcm_decode",
                    "arguments": {
                        "codes": {"elements": [[0x77]]},
                        "state": None,
                        "out": {"shape": [1, 2]},
                    },
                    "expected": {"out": "[[11, 41]]"},
                },
                {
                    "call": "adpcm_decode",
                    "arguments": {
                        "codes": {"elements": [[0x77]]},
                        "state": None,
                        "out": {"shape": [1, 2]},
                    },
                    "expected": {"out": "[[11, 41]]"},
                },
            ],
        }
    ],
)
def adpcm_decode(
    codes: Tensor[np.uint8, "c (n+1)//2"],
    state: Optional[Annotated[InOut[Tensor[np.int32, "c 2"]], Range(-32768, 32767)]],
    out: Out[Tensor[np.int16, "c n"]],
) -> None:
    c, n = out.shape
    for k in range(c):
        p, i = (0, 0) if state is None else map(int, state[k])
        for t in range(n):
            p, i = step(p, i, int(codes[k, t // 2]) >> 4 * (t % 2) & 15)
            out[k, t] = p
        if state is not None:
            state[k] = (p, i)
