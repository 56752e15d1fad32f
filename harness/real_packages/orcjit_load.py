# SPDX-License-Identifier: Apache-2.0
"""Object files that OrcJIT loads: their functions are called, and others are refused."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import tvm_ffi
from tvm_ffi.libinfo import find_dlpack_include_path, find_include_path
from tvm_ffi_orcjit import ExecutionSession

SOURCE = r"""
#include <tvm/ffi/c_api.h>
int __tvm_ffi_add(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (num_args != 2) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add takes two ints");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + args[1].v_int64;
  return 0;
}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "add.c"), Path(folder, "add.o")
        source.write_text(SOURCE, encoding="utf-8")
        includes = [f"-I{find_include_path()}", f"-I{find_dlpack_include_path()}"]
        subprocess.run(["gcc", "-c", "-O2", "-fPIC", *includes, source, "-o", target], check=True)
        module = ExecutionSession().load_module(str(target))
        add = module["add"]
        print("add(10, 20):", add(10, 20))
        try:
            add(1)
        except TypeError as error:
            print("TypeError", error)
        try:
            module["subtract"]
        except Exception as error:
            print(type(error).__name__)
        print("int:", tvm_ffi.get_global_func("testing.echo")(5))


if __name__ == "__main__":
    main()
