# SPDX-License-Identifier: Apache-2.0
from typing import Literal

import numpy as np
from tvmffi_conform.kernels import Tensor, kernel

EMPTY = {"call": "clear", "arguments": {}}


@kernel(
    sizes={"n": [3, 0, 20]},
    promises=["repeatable"],
    sequences=[
        {
            "text": "the last one that was put comes back",
            "repeatable": True,
            "steps": [
                EMPTY,
                {
                    "call": "get",
                    "arguments": {"slot": "left"},
                    "refused": {"kind": "KeyError", "message": "is empty"},
                },
                {
                    "call": "put",
                    "arguments": {"slot": "left", "x": {"elements": [1, 2]}},
                    "expected": {"result": "2"},
                },
                {
                    "call": "put",
                    "arguments": {"slot": "left", "x": {"elements": [3]}},
                    "expected": {"result": "1"},
                },
                {"call": "get", "arguments": {"slot": "left"}, "expected": {"result": "[3]"}},
                {"call": "get", "arguments": {"slot": "right"}, "refused": {"kind": "KeyError"}},
                {"call": "clear", "arguments": {}, "expected": {"result": "True"}},
                {"call": "clear", "arguments": {}, "expected": {"result": "False"}},
            ],
        },
        {
            "text": "what is got can be put",
            "steps": [
                {"call": "put", "arguments": {"slot": "left", "x": {"elements": [1, 2, 4]}}},
                {"call": "get", "arguments": {"slot": "left"}, "keep": "three"},
                {
                    "call": "put",
                    "arguments": {"slot": "right", "x": {"kept": "three"}},
                    "expected": {"result": "3"},
                },
                {"call": "clear", "arguments": {}},
                {
                    "call": "put",
                    "arguments": {"slot": "right", "x": {"kept": "three"}},
                    "expected": {"result": "3"},
                },
            ],
        },
    ],
)
def put(slot: Literal["left", "right"], x: Tensor[np.float32, "n", {"layout": "strided"}]) -> int:
    return x.shape[0]


@kernel(
    needs=[EMPTY, {"call": "put", "arguments": {"slot": "left", "x": {"elements": [1, 2, 3]}}}],
    promises=["repeatable", "fresh"],
)
def get(slot: Literal["left"]) -> Tensor[np.float32, "3"]:
    return np.array([1, 2, 3], np.float32)


@kernel(needs=[{"call": "put", "arguments": {"slot": "right", "x": {"elements": [0]}}}])
def clear() -> bool:
    return True
