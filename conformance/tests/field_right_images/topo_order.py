# SPDX-License-Identifier: Apache-2.0
"""The first of all topological orders."""

import heapq
from typing import Annotated, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.int32, np.int64)


def call(n: int, edges: list[list[int]], *roots: int) -> dict:
    at = np.array(edges, np.int64).reshape(-1, 2)
    return {"arguments": {"n": n, "edges": at, "roots": list(roots)}}


def refused(kind: str, message: str, made: dict) -> dict:
    return {**made, "refused": {"kind": kind, "message": message}}


@kernel(
    sizes={"m": [3, 0, 1, 6]},
    where=["edges[:, 0] != edges[:, 1]"],
    refuses=[
        {"when": "n > 512", "kind": "ValueError", "message": "n is not in 0..512"},
        {"when": "any(edges >= n)", "kind": "IndexError", "message": "leaves the graph"},
        {"when": "any(edges[:, 0] == edges[:, 1])", "kind": "ValueError", "message": "is a loop"},
    ],
    promises=["repeatable", "fresh"],
    calls=[
        call(6, [[5, 2], [5, 0], [4, 0], [4, 1], [2, 3], [3, 1]]),
        call(6, [[5, 2], [5, 0], [4, 0], [4, 1], [2, 3], [3, 1]], 2),
        call(6, [[5, 2], [5, 0], [4, 0], [4, 1], [2, 3], [3, 1]], 4, 2, 4),
        call(4, [[0, 1], [0, 1], [1, 3]]),
        call(4, [[0, 1], [1, 0], [2, 3]], 2),
        call(3, []),
        call(0, []),
        refused("RuntimeError", "a cycle among 3 vertices", call(3, [[0, 1], [1, 2], [2, 0]])),
        refused("RuntimeError", "a cycle among 2 vertices", call(4, [[0, 1], [1, 0], [2, 3]], 1)),
        refused("ValueError", "edge 1 is a loop", call(4, [[0, 1], [2, 2]])),
        refused("IndexError", "edge 0 leaves the graph", call(2, [[0, 2]])),
        refused("IndexError", "root 4 is not a vertex", call(4, [[0, 1]], 4)),
        refused("IndexError", "root -1 is not a vertex", call(4, [[0, 1]], 0, -1)),
    ],
)
def topo_order(
    n: Annotated[int, Examples(8, 5, 100), Range(0, 512)],
    edges: Annotated[Tensor[T, "m 2", {"layout": "contiguous"}], Range(0, "n - 1")],
    *roots: Annotated[int, Examples(0, 2), Range(0, "n - 1")],
) -> list[int]:
    after: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges.tolist():
        after[a].append(b)
    used = set(range(n)) if not roots else set()
    waiting = list(roots)
    while waiting:
        v = waiting.pop()
        if v not in used:
            used.add(v)
            waiting += after[v]
    before = [0] * n
    for v in used:
        for u in after[v]:
            before[u] += 1
    ready = [v for v in used if before[v] == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        v = heapq.heappop(ready)
        order.append(v)
        for u in after[v]:
            before[u] -= 1
            if before[u] == 0:
                heapq.heappush(ready, u)
    if len(order) < len(used):
        raise RuntimeError("a cycle")
    return order
