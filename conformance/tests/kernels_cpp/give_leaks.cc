// SPDX-License-Identifier: Apache-2.0
// caught by kernel.refusal-leaks-nothing
#include <tvm/ffi/string.h>

#include "by_hand.h"

// What is thrown goes past the line that hands the object over, and nobody gives it back.
EXPORT_BY_HAND(give)
{
  static const std::string letters = "a text that is longer than seven letters";
  TVMFFIByteArray bytes{letters.data(), letters.size()};
  TVMFFIAny text;
  TVM_FFI_SAFE_CALL_BEGIN();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIStringFromByteArray(&bytes, &text));
  kernels::CheckCount(num_args, 1);
  kernels::TakeInt(args[0], "n");
  *result = text;
  TVM_FFI_SAFE_CALL_END();
}
