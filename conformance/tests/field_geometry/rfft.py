# SPDX-License-Identifier: Apache-2.0
"""rfft: the discrete Fourier transform of real rows."""

from typing import Annotated, Literal, Optional, TypeVar

import numpy as np
from tvmffi_conform.kernels import Examples, Range, Tensor, kernel

T = TypeVar("T", np.float32, np.float64)


def wave(b, n, dtype):
    return np.random.default_rng(b + n).uniform(-1, 1, (b, n)).astype(dtype)


def hann(n, dtype):
    return (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / max(n, 1))).astype(dtype)


def call(b, n, dtype, n_fft, norm, window, threads):
    return {
        "arguments": {
            "x": wave(b, n, dtype),
            "n_fft": n_fft,
            "norm": norm,
            "window": hann(n, dtype) if window else None,
            "threads": threads,
        }
    }


@kernel(
    sizes={"b": [3, 1, 0, 8], "n": [8, 1, 5, 12, 64, 100]},
    where=["n_fft is not None or 1 <= n <= 100000"],
    tolerance={"float32": 1e-5, "float64": 1e-10},
    promises=["atomic", "repeatable", "fresh"],
    calls=[
        call(2, 16, np.float64, None, "backward", False, 1),
        call(3, 16, np.float32, 21, "ortho", True, 2),
        call(3, 21, np.float64, 16, "ortho", True, 1),
        call(4, 1000, np.float64, 1536, "forward", False, 4),
        call(1, 1021, np.float32, None, "backward", True, 0),
        call(64, 256, np.float64, None, "forward", True, 8),
        call(2, 0, np.float32, 6, "backward", False, 1),
        call(1, 50000, np.float64, None, "backward", False, 1),
        call(1, 99999, np.float32, None, "ortho", False, 1),
        {
            "arguments": {"x": np.zeros((2, 0), np.float32), "n_fft": None, "window": None},
            "refused": {"kind": "ValueError", "message": "n_fft"},
        },
        {"arguments": {"norm": "Ortho"}, "refused": {"kind": "ValueError", "message": "norm"}},
    ],
    text="""Any length up to 100000. Rows are cut off or continued with zeros to n_fft samples; the window
    is that of the row. The last dimension has the real and the imaginary part.""",
)
def rfft(
    x: Tensor[T, "b n", {"layout": "strided"}],
    n_fft: Optional[Annotated[int, Examples(8, 13, 30), Range(1, 100000)]],
    norm: Literal["backward", "forward", "ortho"],
    window: Optional[Tensor[T, "n"]],
    threads: Annotated[int, Range(0, 64)],
) -> Tensor[T, "b _ 2"]:
    samples = x.astype(np.float64)
    if window is not None:
        samples = samples * window
    length = x.shape[1] if n_fft is None else n_fft
    y = (
        np.fft.rfft(samples, n=length, axis=1, norm=norm)
        if x.size
        else np.zeros((x.shape[0], length // 2 + 1), np.complex128)
    )
    return np.stack([y.real, y.imag], axis=-1).astype(x.dtype)
