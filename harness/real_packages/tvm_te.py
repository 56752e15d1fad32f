# SPDX-License-Identifier: Apache-2.0
"""A kernel written in TE, compiled by Apache TVM with LLVM, and run; calls that it refuses."""

from __future__ import annotations

import numpy as np
import tvm
import tvm_ffi
from tvm import te

SIZE = 64


def multiply_and_add() -> tvm.runtime.Module:
    left = te.placeholder((SIZE, SIZE), name="left")
    right = te.placeholder((SIZE, SIZE), name="right")
    k = te.reduce_axis((0, SIZE), name="k")
    product = te.compute((SIZE, SIZE), lambda i, j: te.sum(left[i, k] * right[k, j], axis=k))
    sums = te.compute((SIZE, SIZE), lambda i, j: product[i, j] + left[i, j])
    return tvm.compile(te.create_prim_func([left, right, sums]), target="llvm")


def main() -> None:
    module = multiply_and_add()
    left = (np.arange(SIZE * SIZE, dtype="float32") % 7).reshape(SIZE, SIZE)
    right = (np.arange(SIZE * SIZE, dtype="float32") % 5).reshape(SIZE, SIZE)
    sums = np.zeros_like(left)
    run = module["main"]
    run(*(tvm_ffi.from_dlpack(array) for array in (left, right, sums)))
    print("right:", bool((sums == left @ right + left).all()), "sum:", float(sums.sum()))
    for arguments in ((), (1, 2, 3), tuple(map(tvm_ffi.from_dlpack, (left, right, right[0])))):
        try:
            run(*arguments)
        except Exception as error:
            print(type(error).__name__, str(error).splitlines()[0])
    printed = te.create_prim_func([te.placeholder((3,), name="x")])
    print(printed.script())


if __name__ == "__main__":
    main()
