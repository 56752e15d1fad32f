#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels of our own with tilelang: tilelang_kernels.py FOLDER

Run by produce.py, in an environment that has tilelang, with CUDA_HOME naming a toolkit. The host
code is C, compiled by the system's compiler; the device code is for CUDA, compiled by nvcc. No GPU
is needed. What a target for the CPU says is written to cpu.txt.
"""

import os
import sys
from pathlib import Path

import tilelang
import tilelang.language as T
from tilelang import tvm

TARGET = tvm.target.Target({"kind": "cuda", "arch": "sm_80"})


def add_one(block=128):
    n = T.dynamic("n")

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=block) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] + T.float32(1)

    return main


def scale(block=128):
    n = T.dynamic("n")

    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32"), factor: T.float32):
        with T.Kernel(T.ceildiv(n, block), threads=block) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * factor

    return main


def matmul(block=32):
    m = T.dynamic("m")

    @T.prim_func
    def main(
        A: T.Tensor((m, 64), "float16"),
        B: T.Tensor((64, 32), "float16"),
        C: T.Tensor((m, 32), "float32"),
    ):
        with T.Kernel(T.ceildiv(m, block), threads=128) as bx:
            a = T.alloc_shared((block, 64), "float16")
            b = T.alloc_shared((64, 32), "float16")
            c = T.alloc_fragment((block, 32), "float32")
            T.clear(c)
            T.copy(A[bx * block, 0], a)
            T.copy(B[0, 0], b)
            T.gemm(a, b, c)
            T.copy(c, C[bx * block, 0])

    return main


def for_the_cpu():
    @T.prim_func
    def main(A: T.Tensor((64,), "float32"), B: T.Tensor((64,), "float32")):
        with T.Kernel(1) as _:
            for i in T.serial(64):
                B[i] = A[i] + T.float32(1)

    return main


def module_of(kernel):
    with TARGET:
        return tilelang.lower(
            kernel,
            target=TARGET,
            target_host="c",
            enable_host_codegen=True,
            enable_device_compile=True,
        ).rt_mod


def why_not(target: str) -> str:
    """What comes of a kernel for the CPU: the last line of the error, or that it compiled."""
    try:
        tilelang.lower(for_the_cpu(), target=target, target_host=target, enable_host_codegen=True)
    except Exception as error:
        return str(error).strip().splitlines()[-1]
    return "compiled"


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    libraries = os.path.join(os.path.dirname(tilelang.__file__), "lib")
    linked = [f"-L{libraries}", "-Wl,--no-as-needed", "-ltvm_runtime", f"-Wl,-rpath,{libraries}"]
    for kernel in (add_one, scale, matmul):
        module_of(kernel()).export_library(str(folder / f"{kernel.__name__}.so"), options=linked)
    # As tilelang exports it, without a word about the library that it needs.
    module_of(add_one()).export_library(str(folder / "add_one_alone.so"))
    said = [f"{target}: {why_not(target)}" for target in ("c", "llvm")]
    (folder / "cpu.txt").write_text("\n".join(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
