# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Callable, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

I = TypeVar("I", np.int32, np.int64)
GRAPH = {
    "indptr": np.array([0, 2, 3, 3, 5], np.int32),
    "indices": np.array([1, 2, 0, 2, 3], np.int32),
    "weights": np.array([1, 3, 0.5, 2, 0], np.float32),
    "personalization": np.array([1, 0, 2, 1], np.float64),
    "damping": 0.75,
    "tol": 0.0,
    "max_iter": 3,
    "progress": None,
}


def graph(**other):
    return {"arguments": {**GRAPH, **other}}


@kernel(
    sizes={"n": [4, 1, 30], "m": [5, 1, 90]},
    where=["indptr[0] == 0", "indptr[-1] == m", "indptr[1:] >= indptr[:-1]"],
    parameters={
        "weights": {"layout": "contiguous"},
        "personalization": {"layout": "contiguous"},
        "progress": {
            "parameters": [
                {"name": "iteration", "kind": "int"},
                {"name": "change", "kind": "float"},
            ],
            "does": "iteration < 2",
        },
    },
    tolerance=1e-6,
    promises=["repeatable", "fresh"],
    text="ranks, iterations made, and the last change; progress returns false to stop",
    calls=[
        graph(),
        graph(weights=np.array([1, 3, 0.5, 2, 0], np.float64)),
        graph(weights=None, personalization=None, tol=1e-3, max_iter=100),
        graph(max_iter=0),
        graph(max_iter=0, personalization=None),
        graph(weights=np.array([0, 0, 1, 1, 1], np.float64)),
        graph(damping=1.0),
        graph(damping=0.0),
        {
            "arguments": {**GRAPH, "max_iter": 50, "progress": {"does": ["iteration < 2"]}},
            "expected": {"result[1]": "2"},
        },
        {**graph(indices=np.array([1, 2, 0, 4, 3], np.int32)), "refused": {"kind": "ValueError"}},
        {**graph(indices=np.array([1, -1, 0, 2, 3], np.int32)), "refused": {"kind": "ValueError"}},
        {
            **graph(weights=np.array([1, 3, -1, 2, 0], np.float32)),
            "refused": {"kind": "ValueError"},
        },
        {**graph(personalization=np.zeros(4)), "refused": {"kind": "ValueError"}},
        {
            "arguments": {
                **GRAPH,
                "indptr": np.zeros(1, np.int64),
                "indices": np.zeros(0, np.int64),
                "weights": None,
                "personalization": None,
            }
        },
    ],
)
def pagerank(
    indptr: Annotated[Tensor[I, "n+1", {"layout": "contiguous"}], Range(0, "m")],
    indices: Annotated[Tensor[I, "m", {"layout": "contiguous"}], Range(0, "n - 1")],
    weights: Optional[Annotated[Tensor[(np.float32, np.float64), "m"], Range(0, 8)]],
    personalization: Optional[Annotated[Tensor[np.float64, "n"], Range(0.5, 8)]],
    damping: Annotated[float, Examples(0.85, 0.5), Range(0, 1)],
    tol: Annotated[float, Examples(0.0, 1e-3), Range(least=0)],
    max_iter: Annotated[int, Examples(5, 20), Range(0, 1000)],
    progress: Optional[Callable[[int, float], bool]],
) -> tuple[Tensor[np.float64, "n"], int, float]:
    n = len(indptr) - 1
    w = np.ones(len(indices)) if weights is None else weights.astype(np.float64)
    p = np.full(n, 1 / max(n, 1)) if personalization is None else personalization
    if n and not p.sum() > 0:
        raise ValueError("personalization may not be zero everywhere")
    if ((indices < 0) | (indices >= n)).any() or (w < 0).any():
        raise ValueError("indices must be nodes, weights not negative")
    p = p / p.sum() if personalization is not None and n else p
    source = np.repeat(np.arange(n), np.diff(indptr))
    total = np.zeros(n)
    np.add.at(total, source, w)
    r, change, made = p.copy(), 0.0, 0
    while made < max_iter and n:
        new = (1 - damping + damping * r[total == 0].sum()) * p
        use = total[source] > 0
        np.add.at(new, indices[use], damping * r[source[use]] * w[use] / total[source[use]])
        change = float(np.abs(new - r).sum())
        r = new
        made += 1
        if progress is not None and not progress(made, change):
            break
        if change <= tol:
            break
    return r, made, change
