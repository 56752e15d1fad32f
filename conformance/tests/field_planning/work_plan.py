# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Literal, NotRequired, Optional, TypedDict, Union

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


class Options(TypedDict):
    chunk: NotRequired[Annotated[int, Examples(4, 7), Range(1, 2147483647)]]
    order: NotRequired[Literal["fifo", "longest"]]


class Plan(TypedDict):
    request: Tensor[np.int32, "_"]
    begin: Tensor[np.int32, "_"]
    worker: Tensor[np.int32, "_"]
    load: Tensor[np.float64, "workers"]
    makespan: float


@kernel(
    sizes={"n": [5, 1, 0, 12]},
    parameters={
        "options": {"other_keys": "refused"},
        "cost": {"parameters": [{"name": "size", "kind": "int"}], "does": "0.5*size + 3"},
    },
    promises=["repeatable", "fresh"],
    tolerance=1e-12,
    calls=[
        {
            "arguments": {
                "lengths": [9, 0, 4, 17],
                "workers": 2,
                "options": {"chunk": 8, "order": "longest"},
                "cost": None,
            },
            "expected": {
                "result.request": "[0, 3, 3, 2, 0, 3]",
                "result.begin": "[0, 0, 8, 0, 8, 16]",
                "result.worker": "[0, 1, 0, 1, 1, 1]",
                "result.load": "[16, 14]",
                "result.makespan": "16",
            },
        },
        {
            "arguments": {
                "lengths": [3, 2],
                "workers": 2,
                "options": {},
                "cost": {"does": ["1", "nan"]},
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {"lengths": [3, 2], "workers": 2, "options": {}, "cost": {"does": ["-1"]}},
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "lengths": [3, 2],
                "workers": 2,
                "options": {"order": "shortest"},
                "cost": None,
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    sequences=[
        {
            "text": "costs of one call are not those of the next",
            "repeatable": True,
            "steps": [
                {
                    "call": "work_plan",
                    "arguments": {
                        "lengths": [3, 2],
                        "workers": 1,
                        "options": {},
                        "cost": {"does": ["size"]},
                    },
                    "expected": {"result.makespan": "5"},
                },
                {
                    "call": "work_plan",
                    "arguments": {
                        "lengths": [3, 2],
                        "workers": 1,
                        "options": {},
                        "cost": {"does": ["10*size"]},
                    },
                    "expected": {"result.makespan": "50"},
                },
            ],
        }
    ],
)
def work_plan(
    lengths: Union[
        Annotated[Tensor[np.int32, "n"], Range(0, 4096)],
        list[Annotated[int, Range(0, 4096)]],
    ],
    workers: Annotated[int, Examples(3, 1), Range(1, 256)],
    options: Options,
    cost: Optional[Callable[[int], float]],
) -> Plan:
    chunk = options.get("chunk")
    items = []
    for r, size in enumerate(lengths):
        size = int(size)
        at = 0
        while at < size:
            step = min(chunk or size, size - at)
            c = float(step) if cost is None else float(cost(step))
            if not np.isfinite(c) or c < 0:
                raise ValueError("no cost")
            items.append((r, at, c))
            at += step
    if options.get("order") == "longest":
        items.sort(key=lambda item: -item[2])
    load = np.zeros(workers)
    worker = []
    for _, _, c in items:
        w = int(np.argmin(load))
        load[w] += c
        worker.append(w)
    return {
        "request": np.array([i[0] for i in items], np.int32),
        "begin": np.array([i[1] for i in items], np.int32),
        "worker": np.array(worker, np.int32),
        "load": load,
        "makespan": float(load.max()),
    }
