// SPDX-License-Identifier: Apache-2.0
// caught by argument.wrong-plain-value.float
#include "by_hand.h"

// It takes a float, and its metadata says an int.
EXPORT_BY_HAND(scale)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  kernels::CheckCount(num_args, 1);
  auto number = tvm::ffi::AnyView::CopyFromTVMFFIAny(args[0]).try_cast<double>();
  if (!number.has_value()) TVM_FFI_THROW(TypeError) << "argument 0 has to be a float";
  *result = tvm::ffi::AnyView(2 * *number).CopyToTVMFFIAny();
  TVM_FFI_SAFE_CALL_END();
}

METADATA_BY_HAND(
    scale, R"({\"type\":\"ffi.Function\",\"args\":[{\"type\":\"float\"},{\"type\":\"int\"}]})")
