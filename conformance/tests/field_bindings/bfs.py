# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional, TypedDict, TypeVar, Union

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)


class Found(TypedDict):
    level: Tensor[np.int32, "n"]
    reached: int
    depth: int


@kernel(
    sizes={"n": [7, 1, 40], "m": [12, 0, 90]},
    where=["indptr[0] == 0", "indptr[-1] == m", "indptr[1:] >= indptr[:-1]"],
    parameters={"indptr": {"layout": "contiguous"}, "indices": {"layout": "contiguous"}},
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        {
            "arguments": {
                "indptr": np.array([0, 2, 3, 3, 4], np.int32),
                "indices": np.array([1, 2, 3, 0], np.int32),
                "sources": 0,
                "max_depth": None,
                "parents": {"shape": [4]},
            },
            "expected": {
                "result.level": "[0, 1, 1, 2]",
                "result.reached": "4",
                "result.depth": "2",
                "parents": "[-1, 0, 0, 1]",
            },
        },
        {
            "arguments": {
                "indptr": np.array([0, 2, 3, 3, 4], np.int64),
                "indices": np.array([1, 2, 3, 0], np.int64),
                "sources": [2, 1, 2],
                "max_depth": 1,
                "parents": None,
            },
            "expected": {
                "result.level": "[-1, 0, 0, 1]",
                "result.reached": "3",
                "result.depth": "1",
            },
        },
        {
            "arguments": {
                "indptr": np.array([0, 2, 3, 3, 4], np.int64),
                "indices": np.array([1, 2, 3, 0], np.int64),
                "sources": [2, 4],
                "max_depth": 1,
                "parents": None,
            },
            "refused": {"kind": "ValueError"},
        },
    ],
    sequences=[
        {
            "text": "a bounded search leaves nothing behind",
            "repeatable": True,
            "steps": [
                {
                    "call": "bfs",
                    "arguments": {
                        "indptr": {"elements": [0, 1, 2, 3], "dtype": "int32"},
                        "indices": {"elements": [1, 2, 0], "dtype": "int32"},
                        "sources": 0,
                        "max_depth": d,
                        "parents": None,
                    },
                    "expected": {
                        "result.level": want,
                        "result.reached": str(r),
                        "result.depth": str(r - 1),
                    },
                }
                for d, want, r in (
                    (1, "[0, 1, -1]", 2),
                    (None, "[0, 1, 2]", 3),
                    (0, "[0, -1, -1]", 1),
                )
            ],
        }
    ],
)
def bfs(
    indptr: Annotated[Tensor[I, "n+1"], Range(0, "m")],
    indices: Annotated[Tensor[I, "m"], Range(0, "n - 1")],
    sources: Union[Annotated[int, Range(0, "n - 1")], list[Annotated[int, Range(0, "n - 1")]]],
    max_depth: Optional[Annotated[int, Range(0)]],
    parents: Optional[Out[Tensor[np.int64, "n"]]],
) -> Found:
    n = len(indptr) - 1
    level = np.full(n, -1, np.int32)
    parent = np.full(n, -1, np.int64)
    queue = []
    for s in [sources] if isinstance(sources, (int, np.integer)) else sources:
        if level[s] < 0:
            level[s] = 0
            queue.append(int(s))
    depth = 0
    for u in queue:
        if max_depth is not None and level[u] >= max_depth:
            break
        for v in indices[indptr[u] : indptr[u + 1]]:
            if level[v] < 0:
                level[v] = depth = level[u] + 1
                parent[v] = u
                queue.append(int(v))
    if parents is not None:
        parents[...] = parent
    return {"level": level, "reached": len(queue), "depth": int(depth)}
