# SPDX-License-Identifier: Apache-2.0
"""vertex_normals: normals of unit length at the vertices of a mesh of triangles."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)
I = TypeVar("I", np.int32, np.int64)

TETRA = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 2]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
FLAT = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [5, 5, 5]], [[0, 1, 2], [0, 1, 3], [3, 3, 1]]
BOTH_SIDES = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 1]]


def sheet(side):
    """A wavy surface over a square."""
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    points = np.stack([x, y, np.sin(0.7 * x) * np.cos(0.4 * y)], axis=-1).reshape(-1, 3)
    at = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).reshape(-1)
    faces = [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]
    return points, np.concatenate([np.stack(f, axis=1) for f in faces])


def fan(count):
    """A cone: one vertex is in all faces."""
    turn = 2 * np.pi * np.arange(count) / count
    ring = np.stack([np.cos(turn), 2 * np.sin(turn), np.cos(3 * turn)], axis=1)
    at = np.arange(count)
    faces = np.stack([0 * at, 1 + at, 1 + (at + 1) % count], axis=1)
    return np.concatenate([[[0, 0.5, 3]], ring]), faces


def call(mesh, real, index, weighting, areas, threads, **more):
    vertices, faces = np.array(mesh[0], real), np.array(mesh[1], index).reshape(-1, 3)
    return {
        "arguments": {
            "vertices": vertices,
            "faces": faces,
            "weighting": weighting,
            "normals": {"shape": list(vertices.shape), "dtype": np.dtype(real).name},
            "areas": {"shape": [len(faces)], "dtype": np.dtype(real).name} if areas else None,
            "threads": threads,
        },
        **more,
    }


def refused(faces, index):
    mesh = TETRA[0], faces
    error = {"kind": "ValueError", "message": "`faces`"}
    return call(mesh, np.float32, index, "area", False, 1, refused=error)


@kernel(
    sizes={"v": [5, 1, 3, 40], "f": [4, 1, 0, 90]},
    tolerance={"float32": 1e-5, "float64": 1e-9},
    promises=["atomic", "repeatable"],
    calls=[
        call(TETRA, np.float32, np.int32, "area", True, 1),
        call(TETRA, np.float64, np.int64, "uniform", False, 2),
        call(TETRA, np.float64, np.int32, "angle", True, 3),
        call(FLAT, np.float32, np.int64, "uniform", True, 1),
        call(FLAT, np.float64, np.int32, "area", False, 2),
        call(FLAT, np.float64, np.int64, "angle", False, 2),
        call(BOTH_SIDES, np.float32, np.int32, "area", True, 1),
        call(sheet(9), np.float32, np.int32, "angle", False, 4),
        call(sheet(60), np.float64, np.int64, "area", True, 8),
        call(sheet(60), np.float64, np.int32, "uniform", False, 0),
        call(fan(30000), np.float64, np.int64, "area", True, 4),
        call(fan(30000), np.float32, np.int32, "uniform", False, 8),
        call(([[1, 2, 3]], []), np.float32, np.int32, "area", True, 1),
        call(([[1, 2, 3], [4, 5, 7]], []), np.float64, np.int64, "angle", False, 1),
        refused([[0, 1, 4]], np.int32),
        refused([[0, 1, 2], [1, 4, 0]], np.int32),
        refused([[0, 1, 2], [1, 2, -1]], np.int64),
        refused([[0, 1, 2], [2**32, 1, 2]], np.int64),
        {
            "arguments": {"weighting": "none"},
            "refused": {"kind": "ValueError", "message": "weighting"},
        },
    ],
    text="""A face is degenerate if its cross product isn't longer than 1e-12 times the product of two sides;
    it has the area 0 and counts at no vertex. A vertex without a direction has the normal 0. The
    result is the area of all faces, and how many are degenerate.""",
)
def vertex_normals(
    vertices: Tensor[T, "v 3", {"layout": "rows"}],
    faces: Annotated[Tensor[I, "f 3"], Range(0, "v - 1")],
    weighting: Literal["area", "uniform", "angle"],
    normals: Out[Tensor[T, "v 3"]],
    areas: Optional[Out[Tensor[T, "f"]]],
    threads: Annotated[int, Range(0, 64)],
) -> tuple[float, int]:
    points = vertices.astype(np.float64)
    a, b, c = (points[faces[:, i]] for i in range(3))
    with np.errstate(all="ignore"):
        cross = np.cross(b - a, c - a)
        twice = np.sqrt((cross**2).sum(axis=1))

        def norm(e):
            return np.sqrt((e**2).sum(axis=1))

        good = twice > 1e-12 * (norm(b - a) * norm(c - a))
        unit = np.where(good[:, None], cross / np.where(good, twice, 1)[:, None], 0)
        twice = np.where(good, twice, 0)

        def dot(p, q):
            return (p * q).sum(axis=1)

        if weighting == "area":
            weight = np.stack([twice] * 3, axis=1)
        elif weighting == "uniform":
            weight = np.stack([good * 1.0] * 3, axis=1)
        else:
            sides = [(b - a, c - a), (a - b, c - b), (a - c, b - c)]
            angles = [np.arctan2(twice, dot(p, q)) for p, q in sides]
            weight = np.where(good[:, None], np.stack(angles, axis=1), 0)
    sums, total = np.zeros((len(points), 3)), np.zeros(len(points))
    for i in range(3):
        np.add.at(sums, faces[:, i], unit * weight[:, i : i + 1])
        np.add.at(total, faces[:, i], weight[:, i])
    length = norm(sums)
    some = length > 1e-12 * total
    normals[...] = np.where(some[:, None], sums / np.where(some, length, 1)[:, None], 0)
    if areas is not None:
        areas[...] = twice / 2
    return float(twice.sum() / 2), int((~good).sum())
