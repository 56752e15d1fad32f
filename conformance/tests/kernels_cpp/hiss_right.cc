// SPDX-License-Identifier: Apache-2.0
// passes but for kernel.same-call-gives-the-same
// hiss(count, loud) -> tensor: bytes, random ones if it is loud, else 0. Only what comes of one call is stated of it, so
// that others need not come to the same twice.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <random>

namespace ffi = tvm::ffi;

static ffi::Tensor Hiss(int64_t count, bool loud)
{
  static thread_local std::mt19937 generator(std::random_device{}());
  if (count < 0 || count > 1000) TVM_FFI_THROW(ValueError) << "count must be from 0 to 1000";
  int64_t shape[] = {count};
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1),
                                               DLDataType{kDLUInt, 8, 1}, DLDevice{kDLCPU, 0});
  uint8_t *to = static_cast<uint8_t *>(made.data_ptr());
  std::generate(to, to + count, [&] { return static_cast<uint8_t>(loud ? generator() : 0); });
  return made;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hiss, Hiss)
