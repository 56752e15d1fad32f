# SPDX-License-Identifier: Apache-2.0
"""shortest_paths: Dijkstra's algorithm on a graph of compressed rows, from several nodes."""

import heapq
from typing import Annotated, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)
W = TypeVar("W", np.float32, np.float64)


def grid(side):
    """Edges between neighbours of a square, in both directions."""
    edges = []
    for u in range(side * side):
        x, y = u % side, u // side
        for dx, dy in ((0, -1), (-1, 0), (1, 0), (0, 1)):
            if 0 <= x + dx < side and 0 <= y + dy < side:
                edges.append((u, u + dx + side * dy))
    return side * side, edges


def random(n, e, seed):
    rng = np.random.default_rng(seed)
    return n, sorted(zip(rng.integers(0, n, e).tolist(), rng.integers(0, n, e).tolist()))


def call(graph, index, weight, weighted, sources, max_dist, predecessors, threads, **more):
    n, edges = graph
    indptr = np.zeros(n + 1, index)
    for u, _ in edges:
        indptr[u + 1] += 1
    rng = np.random.default_rng(len(edges))
    lengths = rng.uniform(0, 2, len(edges)) if n == 300 else rng.integers(0, 9, len(edges)) / 4
    return {
        "arguments": {
            "indptr": np.cumsum(indptr).astype(index),
            "indices": np.array([v for _, v in edges], index),
            "weights": lengths.astype(weight) if weighted else None,
            "sources": np.array(sources, index),
            "max_dist": max_dist,
            "dist": {"shape": [len(sources), n], "dtype": np.dtype(weight).name},
            "predecessors": {"shape": [len(sources), n], "dtype": np.dtype(index).name}
            if predecessors
            else None,
            "threads": threads,
        },
        **more,
    }


PATH = (6, [(0, 1), (1, 2), (2, 3), (4, 3)])

BAD = call(PATH, np.int32, np.float64, True, [0], None, True, 1)["arguments"]


def refused(message, **arguments):
    return {
        "arguments": {**BAD, **arguments},
        "refused": {"kind": "ValueError", "message": message},
    }


@kernel(
    sizes={"n": [4, 1, 0, 30], "e": [6, 0, 1], "s": [2, 1, 0, 5]},
    where=[
        "indptr[0] == 0",
        "indptr[-1] == e",
        "indptr[1:] >= indptr[:-1]",
        "weights is None or weights >= 0",
        "max_dist is None or max_dist >= 0",
    ],
    tolerance={"float32": 1e-6, "float64": 1e-12},
    promises=["atomic", "repeatable"],
    calls=[
        call(PATH, np.int32, np.float64, False, [0, 4, 5], None, True, 1),
        call(PATH, np.int64, np.float32, False, [0, 4, 5], 2.0, True, 2),
        call(PATH, np.int64, np.float64, True, [3, 0], 0.0, True, 1),
        call(grid(5), np.int32, np.float32, True, [0, 12, 24, 0], None, True, 4),
        call(grid(5), np.int64, np.float64, False, list(range(25)), 3.0, True, 8),
        call(grid(20), np.int64, np.float64, True, list(range(0, 400, 11)), None, True, 8),
        call(
            random(300, 900, 1), np.int32, np.float64, True, list(range(0, 300, 7)), 4.25, True, 4
        ),
        call(random(300, 900, 2), np.int64, np.float32, False, list(range(64)), None, True, 0),
        call((1, [(0, 0)]), np.int32, np.float32, True, [0], None, True, 1),
        call((0, []), np.int32, np.float32, True, [], None, True, 1),
        call((3, []), np.int64, np.float64, False, [2, 1], None, False, 2),
        refused("indptr", indptr=np.array([1, 1, 2, 3, 3, 4, 4], np.int32)),
        refused("indptr", indptr=np.array([0, 1, 2, 3, 3, 4, 5], np.int32)),
        refused("indptr", indptr=np.array([0, 3, 2, 3, 3, 4, 4], np.int32)),
        refused("indices", indices=np.array([1, 2, 6, 3], np.int32)),
        refused("indices", indices=np.array([1, 2, 3, -1], np.int32)),
        refused("sources", sources=np.array([6], np.int32)),
        refused("sources", sources=np.array([-1], np.int32)),
        refused("weights", weights=np.array([1, 0, -0.5, 1])),
        refused("weights", weights=np.array([1, 0, np.nan, 1])),
        refused("max_dist", max_dist=-1.0),
        refused("max_dist", max_dist="nan"),
    ],
    text="""Nodes are settled by length, equal ones by number; of several paths of one length the one that
    is found first has the predecessor. Nodes farther away than max_dist are as if not reachable.""",
)
def shortest_paths(
    indptr: Tensor[I, "n+1"],
    indices: Annotated[Tensor[I, "e"], Range(0, "n - 1")],
    weights: Optional[Tensor[W, "e"]],
    sources: Annotated[Tensor[I, "s"], Range(0, "n - 1")],
    max_dist: Optional[Annotated[float, Examples(2.0, 0.0), Range(0)]],
    dist: Out[Tensor[W, "s n"]],
    predecessors: Optional[Out[Tensor[I, "s n"]]],
    threads: Annotated[int, Range(0, 64)],
) -> None:
    n = len(indptr) - 1
    most = np.inf if max_dist is None else max_dist
    steps = np.ones(len(indices)) if weights is None else weights.astype(np.float64)
    for row, source in enumerate(sources.tolist()):
        length, before, settled = [np.inf] * n, [-1] * n, [False] * n
        length[source] = 0.0
        queue = [(0.0, source)]
        while queue:
            at, u = heapq.heappop(queue)
            if settled[u]:
                continue
            settled[u] = True
            for k in range(indptr[u], indptr[u + 1]):
                v, to = int(indices[k]), at + float(steps[k])
                if to <= most and to < length[v]:
                    length[v], before[v] = to, u
                    heapq.heappush(queue, (to, v))
        dist[row] = length
        if predecessors is not None:
            predecessors[row] = before
