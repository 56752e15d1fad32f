# SPDX-License-Identifier: Apache-2.0
"""A kernel that TileLang lowers to source in CUDA, and its intermediate form."""

from __future__ import annotations

import tilelang
import tilelang.language as T
from tilelang import tvm

SIZE = 128


@T.prim_func
def scale(x: T.Tensor((SIZE,), "float32"), y: T.Tensor((SIZE,), "float32")):
    with T.Kernel(1, threads=SIZE):
        for i in T.Parallel(SIZE):
            y[i] = x[i] * 2.0


def main() -> None:
    print(scale.script())
    target = tvm.target.Target({"kind": "cuda", "arch": "sm_80"})
    with target:
        artifact = tilelang.lower(scale, target=target, enable_device_compile=False)
    print(artifact.kernel_source)
    text = tvm.ir.save_json(scale)
    print("equal:", tvm.ir.structural_equal(scale, tvm.ir.load_json(text)))


if __name__ == "__main__":
    main()
