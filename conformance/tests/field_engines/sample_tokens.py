# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Optional, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

ROWS = {"layout": "rows", "device": "cpu"}
PLAIN = {"layout": "contiguous", "device": "cpu"}


@kernel(
    sizes={"b": [3, 1, 0], "v": [12, 1, 50]},
    where=[
        "logits < inf",
        "b == 0 or max(logits, axis=1) > -inf",
        "0 <= uniforms and uniforms < 1",
        "top_p > 0",
        "temperature < inf",
    ],
    tolerance=0,
    promises=["atomic", "repeatable"],
    parameters={"processor": {"does": "2 * x - 0.5"}},
    refuses=[
        {"when": "top_p <= 0", "kind": "ValueError", "message": "top_p"},
        {"when": "temperature < 0", "kind": "ValueError", "message": "temperature"},
    ],
    calls=[
        {
            "text": "weights 8, 4, 2, 2 of 16: the nucleus of 0.7 is the first two",
            "arguments": {
                "logits": np.log(np.array([[2, 8, 2, 4]] * 4, np.float32)),
                "uniforms": np.array([0, 0.6, 0.7, 0.99], np.float32),
                "top_k": 0,
                "top_p": 0.7,
                "temperature": 1.0,
                "processor": None,
                "out": None,
            },
            "expected": {"result": "array([1, 1, 3, 3])"},
        },
        {
            "text": "each row has a top_k of its own",
            "arguments": {
                "logits": np.log(np.array([[2, 8, 2, 4]] * 4, np.float32)),
                "uniforms": np.array([0.99, 0.99, 0.99, 0.99], np.float32),
                "top_k": np.array([1, 2, 3, 0], np.int32),
                "top_p": 1.0,
                "temperature": 1.0,
                "processor": None,
                "out": {"shape": [4]},
            },
            "expected": {"result": "array([1, 3, 0, 2])"},
        },
        {
            "text": "masked tokens; greedy",
            "arguments": {
                "logits": np.array([[-np.inf, 1, 3, 3], [-np.inf] * 3 + [-5]], np.float32),
                "uniforms": np.array([0.9, 0.9], np.float32),
                "top_k": 0,
                "top_p": 1.0,
                "temperature": 0.0,
                "processor": None,
                "out": {"shape": [2]},
            },
            "expected": {"result": "array([2, 3])"},
        },
        {
            "text": "no token is left in the last row",
            "arguments": {
                "logits": np.array([[1, 2, 3], [-np.inf, -np.inf, -np.inf]], np.float32),
                "uniforms": np.array([0.9, 0.9], np.float32),
                "top_k": 0,
                "top_p": 1.0,
                "temperature": 1.0,
                "processor": None,
                "out": {"shape": [2]},
            },
            "refused": {"kind": "ValueError", "message": "logits"},
        },
        {
            "text": "the processor returns NaN",
            "arguments": {
                "logits": np.array([[1, 2, 3]], np.float32),
                "uniforms": np.array([0.5], np.float32),
                "top_k": 0,
                "top_p": 1.0,
                "temperature": 1.0,
                "processor": {"does": ["x * nan"]},
                "out": {"shape": [1]},
            },
            "refused": {"kind": "ValueError", "message": "processor"},
        },
    ],
)
def sample_tokens(
    logits: Tensor[(np.float32, np.float16, "bfloat16"), "b v", ROWS],
    uniforms: Tensor[np.float32, "b", PLAIN],
    top_k: Union[
        Annotated[int, Examples(0, 2), Range(0, "v")],
        Annotated[Tensor[np.int32, "b", PLAIN], Range(0, "v")],
    ],
    top_p: Annotated[float, Examples(1.0, 0.8), Range(most=1)],
    temperature: Annotated[float, Examples(1.0, 0.0, 0.5), Range(least=0)],
    processor: Optional[Callable[[Tensor[np.float32, "b v"]], Tensor[np.float32, "b v"]]],
    out: Optional[Out[Tensor[np.int32, "b", {"layout": "strided", "device": "cpu"}]]],
) -> Tensor[np.int32, "b", {"alias": "out"}]:
    values = logits.astype(np.float64)
    if processor is not None:
        values = (2 * values - 0.5).astype(np.float32).astype(np.float64)
    rows, vocab = values.shape
    tokens = np.zeros(rows, np.int32)
    for i, row in enumerate(values):
        order = np.argsort(-row, kind="stable")
        if temperature == 0:
            tokens[i] = order[0]
            continue
        k = int(top_k) if np.ndim(top_k) == 0 else int(top_k[i])
        order = order[: k or vocab]
        weights = np.exp((row[order] - row[order[0]]) / temperature)
        reached = np.cumsum(weights)
        nucleus = int(np.argmax(reached >= top_p * reached[-1])) + 1
        above = reached[:nucleus] > np.float64(uniforms[i]) * reached[nucleus - 1]
        tokens[i] = order[np.argmax(above)]
    if out is not None:
        out[...] = tokens
    return tokens
