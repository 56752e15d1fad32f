// SPDX-License-Identifier: Apache-2.0
// keep(x, part, step, y): y = part * x + (1 - part) * y, in the rows whose number `step` divides. Nobody describes it. With 0
// for the part, and in other rows, y stays as it was by right.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_KEEP_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_KEEP_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

namespace keep
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline float *Rows(ffi::TensorView tensor, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(tensor.ndim() == 2 && tensor.device().device_type == kDLCPU, words);
  Require(type.code == kDLFloat && type.bits == 32 && type.lanes == 1, words);
  Require(tensor.IsContiguous() && (tensor.data_ptr() || tensor.numel() == 0), words);
  return reinterpret_cast<float *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

inline void Keep(ffi::TensorView x, double part, int64_t step, ffi::TensorView y)
{
  const float *from = Rows(x, "x must be compact rows of float32 on the CPU");
  float *to = Rows(y, "y must be compact rows of float32 on the CPU");
  Require(y.size(0) == x.size(0), "y must have as many rows as x");
  Require(y.size(1) == x.size(1), "y must have as many columns as x");
  Require(part >= 0 && part <= 1, "part must be 0 to 1");
  Require(step >= 1 && step <= 16, "step must be 1 to 16");
  const float more = static_cast<float>(part), less = static_cast<float>(1 - part);
  for (int64_t i = 0; i < x.size(0); i += step)
    for (int64_t k = i * x.size(1); k < (i + 1) * x.size(1); ++k)
      to[k] = part == 1 ? from[k] : more * from[k] + less * to[k];
}

}  // namespace keep

TVM_FFI_DLL_EXPORT_TYPED_FUNC(keep, keep::Keep)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_KEEP_H_
