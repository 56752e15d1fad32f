# SPDX-License-Identifier: Apache-2.0
"""One step of a continuous batching scheduler with chunked prefill."""

from typing import Annotated, Literal, NotRequired, Optional, TypedDict

from tvmffi_conform.kernels import Examples, Range, kernel


class Options(TypedDict):
    token_budget: Annotated[int, Examples(64, 20, 7), Range(0)]
    max_requests: NotRequired[Annotated[int, Examples(2, 3), Range(0)]]
    chunk: NotRequired[Annotated[int, Examples(8, 5), Range(1)]]
    block_size: NotRequired[Annotated[int, Examples(4, 16), Range(1)]]
    free_blocks: NotRequired[Annotated[int, Examples(3, 6), Range(0)]]
    partial: NotRequired[bool]
    policy: NotRequired[Literal["fcfs", "priority", "shortest"]]


class Step(TypedDict):
    requests: list[int]
    tokens: list[int]
    budget: int
    free_blocks: NotRequired[int]


@kernel(
    text="requests of a step in the order of the policy, and how many tokens of each are computed",
    parameters={
        "total": {"length": "q"},
        "computed": {"length": "q"},
        "priority": {"length": "q"},
        "options": {"other_keys": "refused"},
    },
    sizes={"q": [4, 1, 0, 9]},
    where=[
        "computed <= total",
        'options["policy"] != "priority" or priority is not None',
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {
            "arguments": {
                "total": [10, 5, 30, 5],
                "computed": [3, 0, 8, 5],
                "priority": [0, 1, 1, 2],
                "options": {"token_budget": 20, "policy": "priority", "block_size": 4},
            }
        },
        {
            "arguments": {
                "total": [9, 5, 30, 5],
                "computed": [9, 0, 9, 1],
                "priority": None,
                "options": {"token_budget": 64, "chunk": 8, "block_size": 4, "free_blocks": 3},
            }
        },
        {
            "arguments": {
                "total": [12, 6, 6, 30],
                "computed": [0, 0, 1, 0],
                "priority": None,
                "options": {"token_budget": 16, "policy": "shortest", "partial": False},
            }
        },
        {
            "arguments": {
                "total": [12, 6],
                "computed": [0, 0],
                "priority": None,
                "options": {"token_budget": 32, "chunk": 8, "partial": False},
            }
        },
        {
            "arguments": {
                "total": [12, 6],
                "computed": [0, 0],
                "priority": None,
                "options": {"token_budget": 16, "policy": "lifo"},
            },
            "refused": {"kind": "ValueError", "message": "policy"},
        },
        {
            "arguments": {
                "total": [12, 6],
                "computed": [0, 0],
                "priority": None,
                "options": {"token_budget": 16, "policy": "priority"},
            },
            "refused": {"kind": "ValueError", "message": "priority must be given"},
        },
    ],
)
def schedule_step(
    total: list[Annotated[int, Examples(9, 30, 5, 1, 0), Range(0)]],
    computed: list[Annotated[int, Examples(0, 3, 8, 4, 1), Range(0)]],
    priority: Optional[list[int]],
    options: Options,
) -> Step:
    block = options.get("block_size", 16)
    chunk = options.get("chunk")
    policy = options.get("policy", "fcfs")
    budget = options["token_budget"]
    free = options.get("free_blocks")
    most = options.get("max_requests")

    order = list(range(len(total)))
    if policy == "priority":
        order.sort(key=lambda i: -priority[i])
    elif policy == "shortest":
        order.sort(key=lambda i: total[i] - computed[i])

    requests, tokens = [], []
    for i in order:
        if budget == 0 or (most is not None and len(requests) >= most):
            break
        left = total[i] - computed[i]
        if left == 0:
            continue
        count = min(left, budget) if chunk is None else min(left, budget, chunk)
        held = -(-computed[i] // block)
        if free is not None:
            count = min(count, (held + free) * block - computed[i])
        if count == 0 or (not options.get("partial", True) and count < left):
            break
        requests.append(i)
        tokens.append(count)
        budget -= count
        if free is not None:
            free -= -(-(computed[i] + count) // block) - held
    step = {"requests": requests, "tokens": tokens, "budget": budget}
    if free is not None:
        step["free_blocks"] = free
    return step
