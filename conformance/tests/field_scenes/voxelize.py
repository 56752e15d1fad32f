# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, NotRequired, TypedDict

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel


class Options(TypedDict):
    voxel_size: list[float]
    range: list[float]
    max_points: Annotated[int, Examples(3, 2), Range(1, 64)]
    max_voxels: NotRequired[Annotated[int, Examples(4, 100), Range(1, 20000)]]
    strict: NotRequired[bool]


POINTS = np.array(
    [
        [0.1, 0.2, 0.3, 9],
        [1.7, 0.2, 0.3, 8],
        [0.3, 0.1, 0.4, 7],
        [-3, 0, 0, 6],
        [0.2, 0.3, 0.1, 5],
        [np.nan, 0, 0, 4],
        [0.2, 0.2, 0.2, 3],
        [1.9, 1.9, 1.9, 2],
    ],
    np.float32,
)


@kernel(
    sizes={"n": [40, 0, 1, 700], "d": [4, 3]},
    where=[
        'len(options["voxel_size"]) == 3',
        'len(options["range"]) == 6',
        'len(options["voxel_size"]) != 3 or options["voxel_size"][0] > 0',
        'len(options["voxel_size"]) != 3 or options["voxel_size"][1] > 0',
        'len(options["voxel_size"]) != 3 or options["voxel_size"][2] > 0',
        'len(options["range"]) != 6 or options["range"][0] < options["range"][3]',
        'len(options["range"]) != 6 or options["range"][1] < options["range"][4]',
        'len(options["range"]) != 6 or options["range"][2] < options["range"][5]',
        'len(options["range"]) != 6 or len(options["voxel_size"]) != 3 or (options["range"][3] - options["range"][0]) / options["voxel_size"][0] <= 1048576',
        'len(options["range"]) != 6 or len(options["voxel_size"]) != 3 or (options["range"][4] - options["range"][1]) / options["voxel_size"][1] <= 1048576',
        'len(options["range"]) != 6 or len(options["voxel_size"]) != 3 or (options["range"][5] - options["range"][2]) / options["voxel_size"][2] <= 1048576',
        "3 <= d <= 16",
    ],
    parameters={
        "options": {
            "other_keys": "refused",
            "entries": {
                "voxel_size": {
                    "kind": "array",
                    "element": {"kind": "float"},
                    "value": [0.5, 0.5, 0.25],
                },
                "range": {
                    "kind": "array",
                    "element": {"kind": "float"},
                    "value": [-1, -1, -0.5, 1, 1, 1.5],
                },
            },
        }
    },
    promises=["repeatable", "fresh"],
    tolerance=0,
    calls=[
        {
            "arguments": {
                "points": POINTS,
                "options": {"voxel_size": [1, 1, 1], "range": [0, 0, 0, 2, 2, 2], "max_points": 3},
            }
        },
        {
            "arguments": {
                "points": POINTS,
                "options": {
                    "voxel_size": [1, 1, 1],
                    "range": [0, 0, 0, 2, 2, 2],
                    "max_points": 8,
                    "max_voxels": 2,
                },
            }
        },
        {
            "arguments": {
                "points": POINTS,
                "options": {
                    "voxel_size": [0.1, 0.2, 0.5],
                    "range": [-4, 0, 0, 2, 2, 2],
                    "max_points": 1,
                    "max_voxels": 3,
                    "strict": False,
                },
            }
        },
        {
            "arguments": {
                "points": POINTS,
                "options": {
                    "voxel_size": [1, 1, 1],
                    "range": [0, 0, 0, 2, 2, 2],
                    "max_points": 8,
                    "max_voxels": 2,
                    "strict": True,
                },
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "points": POINTS,
                "options": {"voxel_size": [1, 0, 1], "range": [0, 0, 0, 2, 2, 2], "max_points": 8},
            },
            "refused": {"kind": "ValueError"},
        },
        {
            "arguments": {
                "points": POINTS,
                "options": {"voxel_size": [1, 1, -1], "range": [0, 0, 0, 2, 2, 2], "max_points": 8},
            },
            "refused": {"kind": "ValueError"},
        },
    ],
)
def voxelize(
    points: Tensor[np.float32, "n d", {"layout": "rows"}], options: Options
) -> tuple[Tensor[np.float32, "_ _ d"], Tensor[np.int32, "_ 3"], Tensor[np.int32, "_"]]:
    n, d = points.shape
    size, lo, hi = (
        np.array(v, np.float64)
        for v in (options["voxel_size"], options["range"][:3], options["range"][3:])
    )
    dims = np.maximum(np.ceil((hi - lo) / size), 1)
    limit, each = options.get("max_voxels", 20000), options["max_points"]
    cells, lists = {}, []
    for p in points:
        v = p[:3].astype(np.float64)
        if not ((v >= lo) & (v < hi)).all():
            continue
        key = tuple(np.minimum(np.floor((v - lo) / size), dims - 1).astype(int))
        if key not in cells:
            if len(cells) >= limit:
                if options.get("strict", False):
                    raise ValueError("too many voxels")
                continue
            cells[key] = len(cells)
            lists.append([])
        if len(lists[cells[key]]) < each:
            lists[cells[key]].append(p)
    voxels = np.zeros((len(lists), each, d), np.float32)
    for i, l in enumerate(lists):
        for k, p in enumerate(l):
            voxels[i, k] = p
    return (
        voxels,
        np.array(list(cells), np.int32).reshape(-1, 3),
        np.array([len(l) for l in lists], np.int32),
    )
