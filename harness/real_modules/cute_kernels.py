#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels of our own with the CuTe DSL: cute_kernels.py FOLDER

Run by produce.py, in an environment that has nvidia-cutlass-dsl. Each function becomes an object
file of its own, ahead of time and without a GPU, for produce.py to link. A kernel that takes
several dtypes becomes a function for each, as the DSL compiles one at a time.
"""

import sys
from pathlib import Path

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_compact_tensor, make_fake_stream

OPTIONS = "--enable-tvm-ffi --gpu-arch sm_90"
BLOCK = 128
DTYPES = (cutlass.Float32, cutlass.Float16, cutlass.BFloat16, cutlass.Int32)


@cute.kernel
def add_each(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    at = cute.arch.block_idx()[0] * BLOCK + cute.arch.thread_idx()[0]
    if at < a.shape[0]:
        c[at] = a[at] + b[at]


@cute.jit
def add(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, stream):
    grid = [cute.ceil_div(a.shape[0], BLOCK), 1, 1]
    add_each(a, b, c).launch(grid=grid, block=[BLOCK, 1, 1], stream=stream)


@cute.kernel
def scale_each(x: cute.Tensor, y: cute.Tensor, factor: cutlass.Float32):
    row, column = cute.arch.block_idx()[0], cute.arch.thread_idx()[0]
    for at in range(column, x.shape[1], BLOCK):
        y[row, at] = x[row, at] * factor


@cute.jit
def scale(x: cute.Tensor, y: cute.Tensor, factor: cutlass.Float32, stream):
    scale_each(x, y, factor).launch(grid=[x.shape[0], 1, 1], block=[BLOCK, 1, 1], stream=stream)


@cute.kernel
def sum_rows_each(x: cute.Tensor, y: cute.Tensor):
    row, lane = cute.arch.block_idx()[0], cute.arch.thread_idx()[0]
    total = cutlass.Float32(0)
    for at in range(lane, x.shape[1], 32):
        total += x[row, at].to(cutlass.Float32)
    total = cute.arch.warp_reduction_sum(total)
    if lane == 0:
        y[row] = total


@cute.jit
def sum_rows(x: cute.Tensor, y: cute.Tensor, stream):
    sum_rows_each(x, y).launch(grid=[x.shape[0], 1, 1], block=[32, 1, 1], stream=stream)


def tensor(dtype, *shape):
    order = tuple(reversed(range(len(shape))))
    return make_fake_compact_tensor(dtype, shape, stride_order=order)


def compiled():
    """Each function to export, by its name."""
    stream = make_fake_stream(use_tvm_ffi_env_stream=True)
    for dtype in DTYPES:
        n = cute.sym_int()
        same = [tensor(dtype, n) for _ in range(3)]
        name = f"add_{dtype.__name__.lower()}"
        yield name, cute.compile(add, *same, stream, options=OPTIONS)
    m, n = cute.sym_int(), cute.sym_int()
    both = [tensor(cutlass.Float32, m, n) for _ in range(2)]
    yield "scale", cute.compile(scale, *both, cutlass.Float32(2), stream, options=OPTIONS)
    for dtype in (cutlass.Float32, cutlass.BFloat16):
        m = cute.sym_int()
        x, y = tensor(dtype, m, 64), tensor(cutlass.Float32, m)
        name = f"sum_rows_{dtype.__name__.lower()}"
        yield name, cute.compile(sum_rows, x, y, stream, options=OPTIONS)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, function in compiled():
        function.export_to_c(str(folder / f"{name}.o"), function_name=name)


if __name__ == "__main__":
    main()
