# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

T = TypeVar("T", np.uint8, np.float32)


def mix(a, b, part):
    return a + (b - a) * part[..., None]


@kernel(
    sizes={"h": [5, 1, 0, 17], "w": [4, 7], "c": [3, 4], "s": [4, 2, 9]},
    parameters={
        "image": {"layout": "rows"},
        "lut": {"layout": "contiguous"},
        "out": {"layout": "rows", "alias": "image"},
    },
    where=["domain[0] < domain[1]", "c == 3 or c == 4", "2 <= s <= 256"],
    promises=["atomic", "repeatable"],
    refuses=[
        {"with": {"mode": "cubic"}, "kind": "ValueError", "message": "mode"},
        {"with": {"domain": [1.0, 1.0]}, "kind": "ValueError", "message": "domain"},
    ],
    calls=[
        {
            "arguments": {
                "image": np.array(
                    [[[0.25, np.nan, 2.0, np.nan], [-1.0, 0.5, 1.0, 7.0]]], np.float32
                ),
                "lut": np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), axis=-1).astype(
                    np.float32
                ),
                "domain": [0.0, 1.0],
                "mode": "trilinear",
                "workers": 1,
                "out": {"shape": [1, 2, 4]},
            },
            "text": "NaN is the least colour; what is outside of the domain is brought within it",
        },
        {
            "arguments": {
                "image": np.array(
                    [[[0, 128, 255], [255, 255, 255]], [[1, 2, 3], [255, 0, 64]]], np.uint8
                ),
                "lut": 1
                - np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), axis=-1).astype(
                    np.float32
                ),
                "domain": [0.0, 1.0],
                "mode": "trilinear",
                "workers": 2,
                "out": {"shape": [2, 2, 3]},
            },
            "expected": {"out": "255 - image"},
        },
    ],
    tolerance={"float32": 1e-5},
    text="A 3D colour table applied to an image; the fourth channel is copied",
)
def lut3d_apply(
    image: Tensor[T, "h w c"],
    lut: Tensor[np.float32, "s s s 3"],
    domain: tuple[Annotated[float, Examples(0.0, -1.0)], Annotated[float, Examples(1.0, 2.5)]],
    mode: Literal["trilinear", "nearest"],
    workers: Annotated[int, Range(1, 16)],
    out: Out[Tensor[T, "h w c"]],
) -> None:
    lo, hi = domain
    if not (np.isfinite(lo) and np.isfinite(hi) and lo < hi):
        raise ValueError("domain: has to be two finite numbers that rise")
    s = lut.shape[0]
    table = lut.astype(np.float64)
    x = image[..., :3].astype(np.float64)
    if image.dtype == np.uint8:
        x = x / 255.0
    t = (x - lo) / (hi - lo) * (s - 1)
    t = np.where(t > 0, t, 0.0)
    t = np.minimum(t, s - 1)
    if mode == "nearest":
        i = np.rint(t).astype(np.int64)
        y = table[i[..., 0], i[..., 1], i[..., 2]]
    else:
        a = t.astype(np.int64)
        b = np.minimum(a + 1, s - 1)
        f = t - a

        def at(i, j, k):
            return table[i[..., 0], j[..., 1], k[..., 2]]

        v00 = mix(at(a, a, a), at(a, a, b), f[..., 2])
        v01 = mix(at(a, b, a), at(a, b, b), f[..., 2])
        v10 = mix(at(b, a, a), at(b, a, b), f[..., 2])
        v11 = mix(at(b, b, a), at(b, b, b), f[..., 2])
        y = mix(mix(v00, v01, f[..., 1]), mix(v10, v11, f[..., 1]), f[..., 0])
    if image.dtype == np.uint8:
        y = np.rint(np.clip(np.where(y > 0, y, 0.0), 0, 1) * 255)
    out[..., :3] = y.astype(out.dtype)
    out[..., 3:] = image[..., 3:]
