# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Range, Tensor, kernel


class Options(TypedDict):
    page_size: Annotated[int, Range(1, 2**31 - 1)]
    tile: NotRequired[Annotated[int, Range(1, 2**31 - 1)]]
    workers: NotRequired[Annotated[int, Range(1, 1024)]]
    causal: NotRequired[bool]


class Plan(TypedDict):
    request_indices: Tensor[np.int32, "_"]
    tile_indices: Tensor[np.int32, "_"]
    kv_pages: Tensor[np.int32, "b"]
    worker_indptr: Tensor[np.int32, "_"]
    total_tiles: int
    max_kv_pages: int


def ints(*v):
    return {"elements": list(v)}


@kernel(
    sizes={"b": [3, 1, 8, 0]},
    where=[
        "qo_indptr[0] == 0",
        "qo_indptr[1:] >= qo_indptr[:-1]",
        "kv_indptr[0] == 0",
        "kv_indptr[1:] >= kv_indptr[:-1]",
    ],
    parameters={"options": {"other_keys": "refused"}},
    promises=["repeatable", "fresh"],
    sequences=[
        {
            "text": "an option holds for its call only",
            "repeatable": True,
            "steps": [
                {
                    "call": "plan",
                    "arguments": {
                        "qo_indptr": ints(0, 5),
                        "kv_indptr": ints(0, 3),
                        "options": {"page_size": 4, "causal": False},
                    },
                    "expected": {"result.total_tiles": "1"},
                },
                {
                    "call": "plan",
                    "arguments": {
                        "qo_indptr": ints(0, 5),
                        "kv_indptr": ints(0, 3),
                        "options": {"page_size": 4},
                    },
                    "refused": {"kind": "ValueError"},
                },
            ],
        }
    ],
    calls=[
        {
            "arguments": {
                "qo_indptr": ints(0, 4, 4, 9),
                "kv_indptr": ints(0, 8, 9, 19),
                "options": {"page_size": 4, "tile": 2, "workers": 2},
            },
            "expected": {
                "result.request_indices": "[0, 0, 2, 2, 2]",
                "result.tile_indices": "[0, 1, 0, 1, 2]",
                "result.kv_pages": "[2, 1, 3]",
                "result.worker_indptr": "[0, 2, 5]",
                "result.total_tiles": "5",
                "result.max_kv_pages": "3",
            },
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 32),
                "kv_indptr": ints(0, 32),
                "options": {"page_size": 16},
            },
            "expected": {
                "result.request_indices": "[0, 0]",
                "result.tile_indices": "[0, 1]",
                "result.worker_indptr": "[0, 0, 1, 1, 2]",
            },
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 5),
                "kv_indptr": ints(0, 3),
                "options": {"page_size": 4, "causal": False},
            },
            "expected": {"result.total_tiles": "1"},
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 5),
                "kv_indptr": ints(0, 3),
                "options": {"page_size": 4},
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {"qo_indptr": ints(0, 5), "kv_indptr": ints(0, 8), "options": {"tile": 4}},
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 2, 1),
                "kv_indptr": ints(0, 8, 9),
                "options": {"page_size": 4},
            },
            "refused": True,
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 0, 0),
                "kv_indptr": ints(0, 8, 7),
                "options": {"page_size": 4, "causal": False},
            },
            "refused": True,
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 5),
                "kv_indptr": ints(0, 8),
                "options": {"page_size": 4, "pagesize": 4},
            },
            "refused": True,
        },
        {
            "arguments": {
                "qo_indptr": ints(0, 2000000000),
                "kv_indptr": ints(0, 2000000000),
                "options": {"page_size": 4, "tile": 1},
            },
            "refused": True,
        },
    ],
)
def plan(
    qo_indptr: Tensor[np.int32, "b+1", {"layout": "contiguous"}],
    kv_indptr: Tensor[np.int32, "b+1", {"layout": "contiguous"}],
    options: Options,
) -> Plan:
    page, tile = options["page_size"], options.get("tile", 16)
    workers, causal = options.get("workers", 4), options.get("causal", True)
    qo, kv = [int(i) for i in qo_indptr], [int(i) for i in kv_indptr]
    if min(page, tile, workers) < 1 or max(page, tile) >= 2**31 or workers > 1024 or qo[0] or kv[0]:
        raise ValueError("out of range")
    req, pos, pages = [], [], []
    for r in range(len(qo) - 1):
        q, k = qo[r + 1] - qo[r], kv[r + 1] - kv[r]
        if q < 0 or k < 0 or (causal and k < q) or -(-q // tile) > 2**20 - len(req):
            raise ValueError("bad request")
        n = -(-q // tile)
        req += [r] * n
        pos += range(n)
        pages.append(-(-k // page))
    t = len(req)
    return {
        "request_indices": np.array(req, np.int32),
        "tile_indices": np.array(pos, np.int32),
        "kv_pages": np.array(pages, np.int32),
        "worker_indptr": np.array([w * t // workers for w in range(workers + 1)], np.int32),
        "total_tiles": t,
        "max_kv_pages": max(pages, default=0),
    }
