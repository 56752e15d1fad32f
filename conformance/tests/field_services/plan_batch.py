# SPDX-License-Identifier: Apache-2.0
"""One step of continuous batching: how many tokens of each request run next."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.int32, np.int64)
CPU = {"device": "cpu", "layout": "contiguous"}
MOST = 2**31 - 1


def arguments(prompt, done, dtype=np.int32, **others):
    base = {"budget": 32, "max_requests": 8, "chunk": None, "policy": "fcfs"}
    outputs = {"take": {"shape": [len(prompt)]}, "indptr": {"shape": [len(prompt) + 1]}}
    given = {"prompt": np.array(prompt, dtype), "done": np.array(done, dtype)}
    return {"arguments": {**given, **outputs, **base, **others}}


def refused(message, *given, **others):
    error = {"kind": "ValueError", "message": message}
    return {**arguments(*given, **others), "refused": error}


PROMPT, DONE = [10, 7, 20, 7, 3], [0, 7, 4, 0, 1]


@kernel(
    sizes={"n": [5, 1, 0, 40, 1000]},
    where=["done <= prompt"],
    promises=["atomic", "repeatable"],
    calls=[
        arguments(PROMPT, DONE),
        arguments(PROMPT, DONE, policy="shortest"),
        arguments(PROMPT, DONE, budget=12),
        arguments(PROMPT, DONE, budget=12, policy="shortest"),
        arguments(PROMPT, DONE, budget=12, chunk=8),
        arguments(PROMPT, DONE, np.int64, budget=20, chunk=8, policy="shortest"),
        arguments(PROMPT, DONE, max_requests=2),
        arguments(PROMPT, DONE, max_requests=2, policy="shortest"),
        arguments([6, 4, 4, 4], [2, 0, 0, 0], policy="shortest", max_requests=3),
        arguments([5, 5], [5, 5], budget=1),
        arguments([2**40, 3], [2**40 - 2, 0], np.int64),
        arguments([2**40, 3], [0, 0], np.int64, budget=MOST, chunk=2**35),
        arguments([9, 8], [0, 0], budget=5),
        arguments([], []),
        refused("done[1]", [3, 3, 3], [0, 4, 0]),
        refused("done[2]", [3, 3, 3], [0, 3, -1]),
        refused("budget", PROMPT, DONE, budget=0),
        refused("max_requests", PROMPT, DONE, max_requests=0),
        refused("chunk", PROMPT, DONE, chunk=0),
        refused("policy", PROMPT, DONE, policy="longest"),
    ],
)
def plan_batch(
    prompt: Annotated[Tensor[T, "n", CPU], Range(0)],
    done: Annotated[Tensor[T, "n", CPU], Range(0)],
    take: Out[Tensor[np.int32, "n", CPU]],
    indptr: Out[Tensor[np.int32, "n+1", CPU]],
    budget: Annotated[int, Examples(32), Range(1, MOST)],
    max_requests: Annotated[int, Examples(8, 2), Range(1)],
    chunk: Optional[Annotated[int, Examples(8), Range(1)]],
    policy: Literal["fcfs", "shortest"],
) -> int:
    need = [max(int(p) - int(d), 1) for p, d in zip(prompt, done)]
    order = range(len(need))
    if policy == "shortest":
        order = sorted(order, key=lambda i: need[i])
    left, requests = budget, 0
    take[...] = 0
    for i in order:
        if left == 0 or requests == max_requests:
            break
        now = need[i] if chunk is None else min(need[i], chunk, left)
        if now > left:
            continue
        take[i] = now
        left -= now
        requests += 1
    indptr[0] = 0
    indptr[1:] = np.cumsum(take)
    return budget - left
