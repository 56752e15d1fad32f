#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels of our own with apache-tvm: tvm_kernels.py FOLDER

Run by produce.py, in an environment that has apache-tvm, where a toolkit and a libcuda.so.1 are
found: without that, device code stays as source, which another process can't load. Each
group of kernels for the CPU becomes two libraries, one through LLVM and one through generated C;
the model for the virtual machine and the kernels for CUDA, whose host code is LLVM's, one each.
"""

import os
import sys
from pathlib import Path

import tvm
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Elementwise:
    """One tensor in, one or two out, extents known at the call."""

    @T.prim_func
    def add_one(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for i in range(n):
            Y[i] = X[i] + T.float32(1)

    @T.prim_func
    def split(x: T.handle, low: T.handle, high: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        L = T.match_buffer(low, (n,), "float32")
        H = T.match_buffer(high, (n,), "float32")
        for i in range(n):
            L[i] = X[i] - T.float32(1)
            H[i] = X[i] + T.float32(1)

    @T.prim_func
    def negate_bytes(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "int8")
        Y = T.match_buffer(y, (n,), "int8")
        for i in range(n):
            Y[i] = T.int8(0) - X[i]


@I.ir_module
class Scalars:
    """Numbers beside tensors, and numbers alone."""

    @T.prim_func
    def scale(x: T.handle, y: T.handle, factor: T.float32, shift: T.int64):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for i in range(n):
            Y[i] = X[i] * factor + T.cast(shift, "float32")

    @T.prim_func
    def fill(y: T.handle, value: T.int32, on: T.bool):
        n = T.int64()
        Y = T.match_buffer(y, (n,), "int32")
        for i in range(n):
            Y[i] = T.if_then_else(on, value, T.int32(0))

    @T.prim_func
    def add_ints(a: T.int64, b: T.int64) -> T.int64:
        return a + b


@I.ir_module
class Matrices:
    """More than one dimension: extents, strides and offsets, fixed or known at the call."""

    @T.prim_func
    def matmul(a: T.handle, b: T.handle, c: T.handle):
        m, n, k = T.int64(), T.int64(), T.int64()
        A = T.match_buffer(a, (m, k), "float32")
        B = T.match_buffer(b, (k, n), "float32")
        C = T.match_buffer(c, (m, n), "float32")
        for i, j in T.grid(m, n):
            C[i, j] = T.float32(0)
            for p in range(k):
                C[i, j] = C[i, j] + A[i, p] * B[p, j]

    @T.prim_func
    def add_fixed(
        A: T.Buffer((4, 8), "float32"),
        B: T.Buffer((4, 8), "float32"),
        C: T.Buffer((4, 8), "float32"),
    ):
        for i, j in T.grid(4, 8):
            C[i, j] = A[i, j] + B[i, j]

    @T.prim_func
    def copy_strided(x: T.handle, y: T.handle):
        m, n = T.int64(), T.int64()
        s0, s1, offset = T.int64(), T.int64(), T.int64()
        X = T.match_buffer(x, (m, n), "float32", strides=[s0, s1], elem_offset=offset)
        Y = T.match_buffer(y, (m, n), "float32")
        for i, j in T.grid(m, n):
            Y[i, j] = X[i, j]


@I.ir_module
class Cuda:
    """For a GPU: one dtype each, since that is how TVM generates them."""

    @T.prim_func
    def scale_float32(x: T.handle, y: T.handle, factor: T.float32):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        for block in T.thread_binding((n + 127) // 128, thread="blockIdx.x"):
            for thread in T.thread_binding(128, thread="threadIdx.x"):
                if block * 128 + thread < n:
                    Y[block * 128 + thread] = X[block * 128 + thread] * factor

    @T.prim_func
    def add_int64(x: T.handle, y: T.handle, z: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "int64")
        Y = T.match_buffer(y, (n,), "int64")
        Z = T.match_buffer(z, (n,), "int64")
        for block in T.thread_binding((n + 127) // 128, thread="blockIdx.x"):
            for thread in T.thread_binding(128, thread="threadIdx.x"):
                if block * 128 + thread < n:
                    Z[block * 128 + thread] = X[block * 128 + thread] + Y[block * 128 + thread]


@I.ir_module
class Model:
    """A function for the virtual machine, which allocates what it returns."""

    @R.function
    def main(x: R.Tensor((2, 8), "float32"), w: R.Tensor((8, 4), "float32")):
        with R.dataflow():
            hidden = R.matmul(x, w)
            out = R.nn.relu(hidden)
            R.output(out)
        return out


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for target in ("llvm", "c"):
        for module in (Elementwise, Scalars, Matrices):
            name = next(v for v, m in globals().items() if m is module).lower()
            tvm.tirx.build(module, target=target).export_library(
                str(folder / f"{target}_{name}.so")
            )
    libraries = os.path.join(os.path.dirname(tvm.__file__), "lib")
    target = tvm.target.Target({"kind": "cuda", "arch": "sm_80"}, host="llvm")
    with target:
        cuda = tvm.tirx.build(Cuda, target=target)
    cuda.export_library(
        str(folder / "cuda.so"),
        options=[
            f"-L{libraries}",
            "-Wl,--no-as-needed",
            "-ltvm_runtime",
            "-ltvm_runtime_cuda",
            f"-Wl,-rpath,{libraries}",
        ],
    )
    # The virtual machine is a part of TVM's own runtime library, so the model is linked with that.
    tvm.compile(Model, target="llvm").export_library(
        str(folder / "vm_model.so"),
        options=[
            f"-L{libraries}",
            "-Wl,--no-as-needed",
            "-ltvm_runtime",
            f"-Wl,-rpath,{libraries}",
        ],
    )


if __name__ == "__main__":
    main()
