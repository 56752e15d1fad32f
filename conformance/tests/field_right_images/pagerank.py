# SPDX-License-Identifier: Apache-2.0
"""PageRank by power iteration over a list of edges."""

from typing import Annotated, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

Flat = {"layout": "contiguous"}


def ring(**changed: object) -> dict:
    call = {
        "src": np.array([0, 1, 2, 0], np.int64),
        "dst": np.array([1, 2, 0, 2], np.int64),
        "n": 4,
        "damping": 0.85,
        "rounds": 10,
        "weights": None,
        "reset": None,
        "seed": None,
    }
    return {"arguments": {**call, **changed}}


def refused(kind: str, message: str, **changed: object) -> dict:
    return {**ring(**changed), "refused": {"kind": kind, "message": message}}


@kernel(
    sizes={"e": [6, 0, 40]},
    where=[
        "isfinite(damping)",
        "damping < 1",
        "weights is None or isfinite(weights)",
        "weights is None or weights >= 0",
        "reset is None or isfinite(reset)",
        "reset is None or reset >= 0",
        "reset is None or sum(reset) > 0",
        "reset is None or seed is None",
    ],
    refuses=[
        {
            "when": "reset is not None and seed is not None",
            "kind": "ValueError",
            "message": "reset and seed can't both be given",
        },
        {"when": "damping >= 1", "kind": "ValueError", "message": "damping must be at least 0"},
        {"when": "n > 1000", "kind": "ValueError", "message": "n must be 1 to 1000"},
        {
            "when": "rounds < 0 or rounds > 100",
            "kind": "ValueError",
            "message": "rounds must be 0 to 100",
        },
        {
            "when": "seed is not None and seed >= n",
            "kind": "IndexError",
            "message": "seed is not a vertex",
        },
        {"when": "any(src >= n)", "kind": "IndexError", "message": "src of edge"},
    ],
    promises=["repeatable", "fresh"],
    calls=[
        ring(),
        ring(weights=np.array([1, 0, 2, 3], np.float64)),
        ring(reset=np.array([0, 0, 1, 3], np.float64), rounds=3),
        ring(seed=3, damping=0),
        refused("ValueError", "damping must be", damping="nan"),
        refused("ValueError", "damping must be", damping="inf"),
        refused("ValueError", "damping must be", damping=-0.25),
        refused("ValueError", "sum of reset must be positive", reset=np.zeros(4)),
        refused("ValueError", "reset[1] must be finite", reset=np.array([1, np.inf, 0, 0])),
        refused("ValueError", "weights[3] must be finite", weights=np.array([1, 1, 0, np.nan])),
        refused("ValueError", "weights[0] must be", weights=np.array([-1.0, 1, 0, 0])),
        refused("IndexError", "src of edge 2", n=2, dst=np.array([1, 1, 0, 1], np.int64)),
        refused("IndexError", "dst of edge 1", dst=np.array([1, -2, 0, 1], np.int64)),
    ],
)
def pagerank(
    src: Annotated[Tensor[np.int64, "e", Flat], Range(0, "n - 1")],
    dst: Annotated[Tensor[np.int64, "e", Flat], Range(0, "n - 1")],
    n: Annotated[int, Examples(5, 1), Range(1, 1000)],
    damping: Annotated[float, Examples(0.85, 0.5), Range(0, 1)],
    rounds: Annotated[int, Examples(20, 1), Range(0, 100)],
    weights: Optional[Annotated[Tensor[np.float64, "e", Flat], Range(0, 1000)]],
    reset: Optional[Annotated[Tensor[np.float64, "n", Flat], Range(0, 1000)]],
    seed: Optional[Annotated[int, Range(0, "n - 1")]],
) -> Tensor[np.float64, "n"]:
    start = np.full(n, 1 / n)
    if reset is not None:
        start = reset / reset.sum()
    elif seed is not None:
        start = np.zeros(n)
        start[seed] = 1
    w = np.ones(len(src)) if weights is None else weights
    out = np.bincount(src, w, n)
    share = w / np.where(out > 0, out, 1)[src]
    rank = start
    for _ in range(rounds):
        lost = rank[out == 0].sum()
        moved = np.bincount(dst, rank[src] * share, n)
        rank = damping * moved + (damping * lost + 1 - damping) * start
    return rank
