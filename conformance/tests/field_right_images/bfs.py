# SPDX-License-Identifier: Apache-2.0
"""Distances in edges from one vertex of a graph in compressed rows."""

from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

Flat = {"layout": "contiguous"}


def graph(ptr: list[int], adj: list[int], source: int, depth: Optional[int] = None) -> dict:
    n = len(ptr) - 1
    return {
        "indptr": np.array(ptr, np.int32),
        "indices": np.array(adj, np.int32),
        "source": source,
        "max_depth": depth,
        "distance": {"shape": [n]},
        "parent": {"shape": [n]},
    }


@kernel(
    sizes={"n": [5, 1, 30], "m": [9, 0, 64]},
    where=["indptr[0] == 0", "indptr[-1] == m", "indptr[1:] >= indptr[:-1]"],
    refuses=[
        {"when": "source >= n", "kind": "IndexError", "message": "source is not a vertex"},
        {"when": "source < 0", "kind": "IndexError", "message": "source is not a vertex"},
        {
            "when": "max_depth is not None and max_depth < 0",
            "kind": "ValueError",
            "message": "max_depth is negative",
        },
    ],
    promises=["atomic", "repeatable"],
    calls=[
        {"arguments": graph([0, 2, 3, 4, 5, 5], [1, 2, 3, 3, 4], 0)},
        {"arguments": graph([0, 2, 3, 4, 5, 5], [1, 2, 3, 3, 4], 0, 1)},
        {"arguments": graph([0, 1, 2, 3], [1, 2, 0], 2, 0)},
        {
            "arguments": graph([0, 1, 2], [1, 2], 0),
            "refused": {"kind": "IndexError", "message": "indices[1] is not a vertex: 2"},
        },
        {
            "arguments": graph([0, 1, 2], [-1, 0], 0),
            "refused": {"kind": "IndexError", "message": "indices[0] is not a vertex"},
        },
        {
            "arguments": graph([0, 2, 1, 2], [1, 2], 0),
            "refused": {"kind": "ValueError", "message": "indptr falls at 1"},
        },
        {
            "arguments": graph([1, 1, 2], [1, 0], 0),
            "refused": {"kind": "ValueError", "message": "begin with 0"},
        },
        {
            "arguments": graph([0, 1, 3], [1, 0], 0),
            "refused": {"kind": "ValueError", "message": "end with the number of edges"},
        },
    ],
)
def bfs(
    indptr: Tensor[np.int32, "n+1", Flat],
    indices: Annotated[Tensor[np.int32, "m", Flat], Range(0, "n - 1")],
    source: Annotated[int, Range(0, "n - 1")],
    max_depth: Optional[Annotated[int, Examples(1, 2), Range(0)]],
    distance: Out[Tensor[np.int32, "n", Flat]],
    parent: Optional[Out[Tensor[np.int32, "n", Flat]]],
) -> None:
    distance[...] = -1
    if parent is not None:
        parent[...] = -1
    distance[source] = 0
    queue = [source]
    for v in queue:
        if max_depth is not None and distance[v] >= max_depth:
            break
        for u in indices[indptr[v] : indptr[v + 1]]:
            if distance[u] < 0:
                distance[u] = distance[v] + 1
                if parent is not None:
                    parent[u] = v
                queue.append(int(u))
