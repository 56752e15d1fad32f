// SPDX-License-Identifier: Apache-2.0
// caught by kernel.same-call-gives-the-same
#include "spelled.h"

namespace kernels
{

// The words of an earlier call.
ffi::String SpelledLate(ffi::Tensor x, DLTensor *to, const char *words, TVMFFIByteArray *octets)
{
  static auto *before = new ffi::String("nothing yet");
  ffi::String said = *before;
  *before = Spelled(x, to, words, octets);
  return said;
}

}  // namespace kernels

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spelled, kernels::SpelledLate);
