# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypedDict, TypeVar

import numpy as np
from tvmffi_conform.kernels import Out, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


class Tree(TypedDict):
    links: int
    depth: int
    roots: list[int]


@kernel(
    sizes={"j": [4, 1, 0]},
    where=["parents < arange(j)", "len(kinds) == j"],
    promises=["atomic", "repeatable"],
    tolerance={"float32": 1e-5, "float64": 1e-10},
    calls=[
        {
            "arguments": {
                "parents": np.array([-1, 0, -1, 2], np.int64),
                "kinds": ["revolute", "prismatic", "fixed", "revolute"],
                "axes": np.array([[0, 0, 2], [1, 0, 0], [0, 0, 0], [0, 3, 4]], np.float32),
                "offsets": np.array([[0, 0, 1], [1, 0, 0], [0, 2, 0], [0, 0, 0.5]], np.float32),
                "q": np.array([[0.5, 0.25, 9, -1], [0, 1, 2, 3]], np.float32),
                "base": np.array(
                    [[0, -1, 0, 3], [1, 0, 0, 4], [0, 0, 1, 5], [0, 0, 0, 1]], np.float32
                ),
                "out": {"shape": [2, 4, 4, 4]},
            }
        },
        {
            "arguments": {
                "parents": np.arange(-1, 5, dtype=np.int32),
                "kinds": ["revolute"] * 6,
                "axes": np.tile(np.array([[0.0, 1, 0]]), (6, 1)),
                "offsets": np.ones((6, 3)),
                "q": np.linspace(-3, 3, 1800).reshape(300, 6),
                "base": None,
                "out": {"shape": [300, 6, 4, 4]},
            }
        },
        {
            "arguments": {
                "parents": np.array([-1, 1], np.int32),
                "kinds": ["fixed", "fixed"],
                "axes": np.ones((2, 3)),
                "offsets": np.ones((2, 3)),
                "q": np.ones((2,)),
                "base": None,
                "out": {"shape": [2, 4, 4]},
            },
            "refused": {"kind": "ValueError"},
            "text": "a joint that is its own parent",
        },
        {
            "arguments": {
                "parents": np.array([-1, 0, 1], np.int32),
                "kinds": ["revolute", "fixed", "prismatic"],
                "axes": np.array([[0.0, 1, 0], [0, 0, 0], [0, 0, 0]]),
                "offsets": np.ones((3, 3)),
                "q": np.ones((2, 3)),
                "base": None,
                "out": {"shape": [2, 3, 4, 4]},
            },
            "refused": {"kind": "ValueError"},
            "text": "an axis without direction",
        },
    ],
)
def fk_chain(
    parents: Annotated[Tensor[(np.int32, np.int64), "j"], Range(-1)],
    kinds: list[Literal["revolute", "prismatic", "fixed"]],
    axes: Tensor[T, "j 3"],
    offsets: Tensor[T, "j 3"],
    q: Tensor[T, "*batch j"],
    base: Optional[Tensor[T, "4 4"]],
    out: Out[Tensor[T, "*batch j 4 4"]],
) -> Tree:
    j = len(parents)
    depth, roots = [], []
    flat = q.reshape(-1, j).astype(np.float64) if j else np.zeros((0, 0))
    poses = np.zeros((len(flat), j, 4, 4))
    for i in range(j):
        a = axes[i].astype(np.float64)
        if kinds[i] != "fixed":
            length = np.sqrt((a * a).sum())
            if not (length > 0 and np.isfinite(length)):
                raise ValueError("an axis has no direction")
            a = a / length
        v = flat[:, i]
        local = np.tile(np.eye(4), (len(flat), 1, 1))
        local[:, :3, 3] = offsets[i]
        if kinds[i] == "revolute":
            cross = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
            c, s = np.cos(v)[:, None, None], np.sin(v)[:, None, None]
            local[:, :3, :3] = c * np.eye(3) + s * cross + (1 - c) * np.outer(a, a)
        elif kinds[i] == "prismatic":
            local[:, :3, 3] += a * v[:, None]
        p = int(parents[i])
        if p < 0:
            roots.append(i)
            depth.append(1)
            if base is not None:
                top = np.eye(4)
                top[:3] = base[:3]
                poses[:, i] = top @ local
            else:
                poses[:, i] = local
        else:
            depth.append(depth[p] + 1)
            poses[:, i] = poses[:, p] @ local
    if j:
        out[...] = poses.reshape(out.shape)
    return {"links": j, "depth": max(depth, default=0), "roots": roots}
