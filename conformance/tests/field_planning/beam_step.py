# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import InOut, Range, Tensor, kernel

T = TypeVar("T", np.float16, np.float32, np.float64)
LP = np.array([[[-1, -2, -3], [-0.5, np.nan, -4]]], np.float32)


@kernel(
    sizes={"b": [3, 1, 0, 40], "k": [4, 1], "v": [11, 1, 50]},
    where=["k >= 1", "v >= 1", "eos is not None or not any(done)"],
    promises=["atomic", "repeatable", "fresh"],
    parameters={
        name: {"device": "cpu", "layout": "contiguous"}
        for name in ["logp", "scores", "done", "lengths"]
    },
    calls=[
        {
            "arguments": {
                "logp": LP,
                "scores": np.array([[0, -1]], np.float32),
                "done": np.array([[False, False]]),
                "lengths": np.array([[3, 9]], np.int32),
                "eos": None,
            },
            "expected": {
                "result[0]": "[[-1, -1.5]]",
                "result[1]": "[[0, 0]]",
                "result[2]": "[[0, 1]]",
                "lengths": "[[4, 10]]",
            },
        },
        {
            "arguments": {
                "logp": {
                    "elements": [[["-inf", "nan", -70000.0], [-9, -8, 0]]],
                    "dtype": "float64",
                },
                "scores": np.array([[0, -3]], np.float32),
                "done": np.array([[False, True]]),
                "lengths": np.array([[3, 9]], np.int32),
                "eos": 2,
            },
            "expected": {
                "result[0]": "[[-3, -70000]]",
                "result[1]": "[[2, 2]]",
                "result[2]": "[[1, 0]]",
                "lengths": "[[9, 4]]",
            },
        },
        {
            "arguments": {
                "logp": {"elements": [[["-inf", "-inf"], ["-inf", -1]]], "dtype": "float16"},
                "scores": np.array([[0, -3]], np.float32),
                "done": np.array([[False, False]]),
                "lengths": np.array([[1, 2]], np.int32),
                "eos": 0,
            },
            "expected": {
                "result[0]": "[[-4, -inf]]",
                "result[1]": "[[1, 0]]",
                "result[2]": "[[1, 0]]",
                "lengths": "[[3, 2]]",
            },
        },
        {
            "arguments": {
                "logp": LP,
                "scores": np.array([[0, -1]], np.float32),
                "done": np.array([[False, True]]),
                "lengths": np.array([[3, 9]], np.int32),
                "eos": None,
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def beam_step(
    logp: Tensor[T, "b k v"],
    scores: Tensor[np.float32, "b k"],
    done: Tensor[np.bool_, "b k"],
    lengths: InOut[Tensor[np.int32, "b k"]],
    eos: Optional[Annotated[int, Range(0, "v - 1")]],
) -> tuple[Tensor[np.float32, "b k"], Tensor[np.int32, "b k"], Tensor[np.int32, "b k"]]:
    b, k, v = logp.shape
    out = np.zeros((b, k), np.float32)
    tokens = np.zeros((b, k), np.int32)
    parents = np.zeros((b, k), np.int32)
    for r in range(b):
        flat = scores[r].astype(np.float64)[:, None] + logp[r].astype(np.float64)
        flat = np.where(np.isnan(flat), -np.inf, flat)
        known = np.ones((k, v), bool)
        for i in range(k):
            if done[r, i]:
                known[i] = False
                known[i, eos] = True
                flat[i, eos] = -np.inf if np.isnan(scores[r, i]) else scores[r, i]
        candidates = np.flatnonzero(known)
        order = np.argsort(-flat.reshape(-1)[candidates], kind="stable")[:k]
        chosen = candidates[order]
        out[r] = flat.reshape(-1)[chosen]
        tokens[r] = chosen % v
        parents[r] = chosen // v
        lengths[r] = lengths[r][parents[r]] + ~done[r][parents[r]]
    return out, tokens, parents
