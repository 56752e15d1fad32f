// SPDX-License-Identifier: Apache-2.0
// caught by argument.int-is-not-cut
#include <tvm/ffi/function.h>

// The headers cut an int to the type of the parameter.
static int64_t Give(int32_t n)
{
  return n;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(give, Give);
