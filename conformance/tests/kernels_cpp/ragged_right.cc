// SPDX-License-Identifier: Apache-2.0
// passes
// ragged(x, offsets, out): the sum of each part of x; part i is from offsets[i] to offsets[i + 1]. ragged.json says so.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

#ifndef HAS_ITS_LENGTH
#define HAS_ITS_LENGTH(offsets, parts) ((offsets) == (parts) + 1)
#endif

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

template <typename T>
static T *Elements(ffi::TensorView tensor, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == code && type.bits == 64 && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
  return reinterpret_cast<T *>(static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset());
}

static void Ragged(ffi::TensorView x, ffi::TensorView offsets, ffi::TensorView out)
{
  const double *element = Elements<const double>(x, kDLFloat, "x must be a compact vector of float64");
  const int64_t *offset = Elements<const int64_t>(offsets, kDLInt, "offsets must be a compact vector of int64");
  double *sum = Elements<double>(out, kDLFloat, "out must be a compact vector of float64");
  const int64_t count = offsets.size(0), parts = out.size(0);
  Require(HAS_ITS_LENGTH(count, parts), "offsets must have one element more than out");
  const int64_t last = parts < count ? parts : count - 1;
  Require(count > 0 && offset[0] == 0 && offset[last] == x.size(0), "offsets must lead from 0 to the end of x");
  for (int64_t i = 1; i < count; ++i) Require(offset[i] >= offset[i - 1], "offsets must not fall");
  for (int64_t i = 0; i < parts && i + 1 < count; ++i) {
    sum[i] = 0;
    for (int64_t k = offset[i]; k < offset[i + 1]; ++k) sum[i] += element[k];
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ragged, Ragged);
