# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, Optional, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, InOut, Out, Range, Tensor, kernel


class Options(TypedDict):
    on: Annotated[float, Examples(2.0, 0.5, -1.0)]
    off: NotRequired[Annotated[float, Examples(0.25, 2.0, -2.0)]]
    min_speech: NotRequired[Annotated[int, Examples(2, 3), Range(1, 1000000)]]
    hangover: NotRequired[Annotated[int, Examples(2, 1), Range(0, 1000000)]]


@kernel(
    text="Voice activity of one chunk of several streams, with hysteresis and hangover.",
    sizes={"b": [3, 1], "t": [12, 1, 50]},
    parameters={"options": {"other_keys": "refused"}},
    where=[
        'isfinite(options["on"])',
        'options["off"] is None or (isfinite(options["off"]) and options["off"] <= options["on"])',
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "text": "two frames begin speech, two more belong to it",
            "arguments": {
                "energy": np.array([[0, 3, 3, 0, 0, 0, 3, 0]], np.float32),
                "lengths": None,
                "speech": np.array([False], np.bool_),
                "run": np.array([0], np.int32),
                "options": {"on": 2.0, "off": 1.0, "min_speech": 2, "hangover": 2},
                "mask": {"shape": [1, 8]},
            },
            "expected": {
                "mask": "[[False, False, True, True, True, False, False, False]]",
                "speech": "[False]",
                "run": "[0]",
                "result": "3",
            },
        },
        {
            "text": "the count goes on from the last chunk",
            "arguments": {
                "energy": np.array([[3, 1.5, 1, 0.5]], np.float64),
                "lengths": np.array([3], np.int32),
                "speech": np.array([False], np.bool_),
                "run": np.array([1], np.int32),
                "options": {"on": 3.0, "off": 1.0, "min_speech": 2, "hangover": 0},
                "mask": {"shape": [1, 4]},
            },
            "expected": {
                "mask": "[[True, True, True, False]]",
                "speech": "[True]",
                "run": "[0]",
                "result": "3",
            },
        },
        {
            "arguments": {
                "energy": np.array([[5, 5], [5, 5]], np.float32),
                "lengths": None,
                "speech": np.array([False, False], np.bool_),
                "run": np.array([0, 1000001], np.int32),
                "options": {"on": 3.0},
                "mask": {"shape": [2, 2]},
            },
            "refused": {"kind": "ValueError", "message": "run must"},
        },
        {
            "arguments": {
                "energy": np.array([[5, np.nan, 0, np.nan, 0, 0]], np.float32),
                "lengths": None,
                "speech": np.array([False], np.bool_),
                "run": np.array([0], np.int32),
                "options": {"on": 3.0, "hangover": 1},
                "mask": {"shape": [1, 6]},
            },
        },
        {
            "arguments": {
                "energy": np.array([[5, 5]], np.float32),
                "lengths": None,
                "speech": np.array([False], np.bool_),
                "run": np.array([0], np.int32),
                "options": {"on": 3.0, "off": 4.0},
                "mask": {"shape": [1, 2]},
            },
            "refused": {"kind": "ValueError", "message": "must not be above"},
        },
    ],
    sequences=[
        {
            "text": "two chunks",
            "repeatable": True,
            "steps": [
                {
                    "call": "vad_stream",
                    "arguments": {
                        "energy": np.array([[0, 4, 4, 4, 0]], np.float32),
                        "lengths": None,
                        "speech": np.array([False], np.bool_),
                        "run": np.array([0], np.int32),
                        "options": {"on": 2.0, "hangover": 2},
                        "mask": {"shape": [1, 5]},
                    },
                    "expected": {"result": "4", "speech": "[True]", "run": "[1]"},
                },
                {
                    "call": "vad_stream",
                    "arguments": {
                        "energy": np.array([[0, 0, 0, 4, 0]], np.float32),
                        "lengths": None,
                        "speech": np.array([True], np.bool_),
                        "run": np.array([1], np.int32),
                        "options": {"on": 2.0, "hangover": 2},
                        "mask": {"shape": [1, 5]},
                    },
                    "expected": {"result": "3", "speech": "[True]", "run": "[1]"},
                },
            ],
        }
    ],
)
def vad_stream(
    energy: Tensor[(np.float32, np.float64), "b t", {"layout": "contiguous"}],
    lengths: Optional[Annotated[Tensor[np.int32, "b", {"layout": "contiguous"}], Range(0, "t")]],
    speech: InOut[Tensor[np.bool_, "b", {"layout": "contiguous"}]],
    run: Annotated[InOut[Tensor[np.int32, "b", {"layout": "contiguous"}]], Range(0, 1000000)],
    options: Options,
    mask: Out[Tensor[np.bool_, "b t", {"layout": "contiguous"}]],
) -> int:
    on = options["on"]
    off = options.get("off", on)
    least = options.get("min_speech", 1)
    hangover = options.get("hangover", 0)
    mask[...] = False
    for i in range(energy.shape[0]):
        active, count = bool(speech[i]), int(run[i])
        frames = energy.shape[1] if lengths is None else int(lengths[i])
        for f in range(frames):
            v = float(energy[i, f])
            if active:
                count = count + 1 if v < off else 0
                if count > hangover:
                    active, count = False, 0
            else:
                count = count + 1 if v >= on else 0
                if count >= least:
                    active, count = True, 0
            mask[i, f] = active
        speech[i], run[i] = active, count
    return int(mask.sum())
