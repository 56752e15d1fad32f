# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


def arguments(**more):
    return {
        "src": np.array([0, 0, 1, 2], np.int32),
        "dst": np.array([1, 2, 3, 3], np.int32),
        "duration": np.array([1, 2, 5, 1], np.float64),
        "order": "asap",
        "start": {"shape": [4]},
        "slack": {"shape": [4]},
    } | more


@kernel(
    sizes={"n": [6, 1, 0, 40], "e": [3, 0, 8]},
    promises=["atomic", "repeatable"],
    tolerance=1e-9,
    calls=[
        {
            "arguments": arguments(),
            "expected": {
                "start": "[0, 1, 1, 6]",
                "slack": "[0, 3, 0, 0]",
                "result[0]": "7",
                "result[1]": "[0, 2, 3]",
            },
        },
        {"arguments": arguments(order="alap"), "expected": {"start": "[0, 4, 1, 6]"}},
        {"arguments": arguments(slack=None)},
        {"arguments": arguments(start=None, slack=None, order="alap")},
        {
            "arguments": arguments(
                src=np.array([0, 1, 1, 2], np.int64), dst=np.array([1, 2, 3, 1], np.int64)
            ),
            "refused": {"kind": "ValueError", "message": "cycle"},
        },
        {
            "arguments": arguments(duration=np.array([1, -2, 5, 1], np.float32)),
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": arguments(duration=np.array([1, 2, np.nan, 1], np.float64)),
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": arguments(dst=np.array([1, 2, 3, -1], np.int32)),
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": arguments(src=np.array([4, 0, 1, 2], np.int32)),
            "refused": {"kind": "ValueError"},
        },
    ],
)
def critical_path(
    src: Annotated[Tensor[I, "e"], Range(0, "n - 1")],
    dst: Annotated[Tensor[I, "e"], Range(0, "n - 1")],
    duration: Annotated[Tensor[(np.float32, np.float64), "n"], Range(0, 100)],
    order: Literal["asap", "alap"],
    start: Optional[Out[Tensor[np.float64, "n"]]],
    slack: Optional[Out[Tensor[np.float64, "n"]]],
) -> tuple[float, list[int]]:
    n = len(duration)
    time = [float(x) for x in duration]
    edges = [(int(a), int(b)) for a, b in zip(src, dst)]
    waits = [0] * n
    for _, b in edges:
        waits[b] += 1
    queue = [i for i in range(n) if waits[i] == 0]
    early = [0.0] * n
    for a in queue:
        for x, b in edges:
            if x == a:
                early[b] = max(early[b], early[a] + time[a])
                waits[b] -= 1
                if waits[b] == 0:
                    queue.append(b)
    if len(queue) != n:
        raise ValueError("the graph has a cycle")
    span = max([early[i] + time[i] for i in range(n)], default=0.0)
    latest = [span - t for t in time]
    for a in reversed(queue):
        for x, b in edges:
            if x == a:
                latest[a] = min(latest[a], latest[b] - time[a])
    if start is not None:
        start[...] = latest if order == "alap" else early
    if slack is not None:
        slack[...] = np.array(latest) - np.array(early)
    path = []
    at = max(range(n), key=lambda i: early[i] + time[i], default=None)
    while at is not None:
        path.append(at)
        at = min((a for a, b in edges if b == at and early[a] + time[a] == early[at]), default=None)
    return float(span), path[::-1]
