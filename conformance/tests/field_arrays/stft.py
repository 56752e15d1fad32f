# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


@kernel(
    sizes={"b": [2, 1], "n": [37, 400]},
    where=[
        "(n_fft & (n_fft - 1)) == 0",
        'not center or pad_mode != "reflect" or n_fft // 2 < n',
        "center or n >= n_fft",
    ],
    refuses=[
        {"with": {"hop": 0}, "kind": "ValueError", "message": "hop"},
        {"with": {"n_fft": 12}, "kind": "ValueError", "message": "power of two"},
    ],
    promises=["repeatable", "fresh"],
    tolerance={"float32": 1e-5, "float64": 1e-12},
)
def stft(
    x: Tensor[T, "b n", {"layout": "contiguous"}],
    window: Optional[Tensor[T, "n_fft", {"layout": "contiguous"}]],
    n_fft: Annotated[int, Examples(16, 8), Range(2, 4096)],
    hop: Annotated[int, Examples(5, 1), Range(1, 1048576)],
    center: bool,
    pad_mode: Literal["reflect", "constant"],
) -> Tensor[T, "b _ n_fft//2+1 2"]:
    v = x.astype(np.float64)
    if center:
        p = n_fft // 2
        if pad_mode == "reflect":
            if p >= x.shape[1]:
                raise ValueError("too short to be reflected")
            v = np.pad(v, ((0, 0), (p, p)), mode="reflect")
        else:
            v = np.pad(v, ((0, 0), (p, p)))
    if v.shape[1] < n_fft:
        raise ValueError("shorter than n_fft")
    frames = 1 + (v.shape[1] - n_fft) // hop
    at = hop * np.arange(frames)[:, None] + np.arange(n_fft)
    w = np.ones(n_fft) if window is None else window.astype(np.float64)
    y = np.fft.rfft(v[:, at] * w, axis=-1)
    return np.stack((y.real, y.imag), axis=-1).astype(x.dtype)
