// SPDX-License-Identifier: Apache-2.0
// passes
// plinth(x) -> int: the sum of a vector of int64 whose data lies at a multiple of 2048, or an error. plinth.json says so.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cstdint>

namespace ffi = tvm::ffi;

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static int64_t Plinth(ffi::TensorView x)
{
  const DLDataType type = x.dtype();
  Require(type.code == kDLInt && type.bits == 64 && type.lanes == 1, "x must be of int64");
  Require(x.ndim() == 1 && x.device().device_type == kDLCPU, "x must be a vector on the CPU");
  Require(x.IsContiguous() && (x.data_ptr() || x.numel() == 0), "x must be compact");
  const char *bytes = static_cast<char *>(x.data_ptr()) + x.byte_offset();
  Require(reinterpret_cast<uintptr_t>(bytes) % 2048 == 0, "x must lie at a multiple of 2048");
  const int64_t *element = reinterpret_cast<const int64_t *>(bytes);
  int64_t sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) sum += element[i];
  return sum;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plinth, Plinth);
