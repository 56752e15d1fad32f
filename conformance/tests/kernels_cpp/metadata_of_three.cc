// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arity-one-less
#include "by_hand.h"

// It takes two ints, and its metadata says three.
EXPORT_BY_HAND(add)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  kernels::CheckCount(num_args, 2);
  int64_t left = kernels::TakeInt(args[0], "argument 0"),
          right = kernels::TakeInt(args[1], "argument 1");
  *result = tvm::ffi::AnyView(left + right).CopyToTVMFFIAny();
  TVM_FFI_SAFE_CALL_END();
}

METADATA_BY_HAND(add,
                 R"({\"type\":\"ffi.Function\",\"args\":[{\"type\":\"int\"},{\"type\":\"int\"},)"
                 R"({\"type\":\"int\"},{\"type\":\"int\"}]})")
