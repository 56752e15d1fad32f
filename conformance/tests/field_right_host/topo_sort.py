# SPDX-License-Identifier: Apache-2.0
import heapq
from typing import Annotated

from tvmffi_conform.kernels import Examples, Range, kernel

Node = Annotated[int, Range(0, "n - 1")]


@kernel(
    promises=["repeatable", "atomic"],
    calls=[
        {"arguments": {"n": 4, "edges": [(3, 1), (1, 0)]}},
        {"arguments": {"n": 5, "edges": [(4, 0), (4, 1), (0, 2), (1, 2), (2, 3)]}},
        {"arguments": {"n": 3, "edges": [(2, 0), (2, 0)]}},
        {"arguments": {"n": 1, "edges": []}},
        {
            "arguments": {"n": 3, "edges": [(0, 1), (1, 0)]},
            "refused": {"kind": "ValueError", "message": "cycle"},
        },
        {"arguments": {"n": 3, "edges": [(0, 3)]}, "refused": {"kind": "IndexError"}},
    ],
)
def topo_sort(
    n: Annotated[int, Examples(6), Range(1, 500)], edges: list[tuple[Node, Node]]
) -> list[int]:
    after: list[list[int]] = [[] for _ in range(n)]
    waits = [0] * n
    for a, b in edges:
        after[a].append(b)
        waits[b] += 1
    ready = [v for v in range(n) if waits[v] == 0]
    order = []
    while ready:
        v = heapq.heappop(ready)
        order.append(v)
        for w in after[v]:
            waits[w] -= 1
            if waits[w] == 0:
                heapq.heappush(ready, w)
    if len(order) < n:
        raise ValueError("cycle")
    return order
