// SPDX-License-Identifier: Apache-2.0
// passes
// bags(x, offsets) -> int: how many bags are empty; bag i of x is from offsets[i] to offsets[i + 1]. Any number of offsets
// is right that lead from 0 to the end of x, which adds up to 10. bags.json says so.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace ffi = tvm::ffi;

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static void RequireVector(ffi::TensorView tensor, uint8_t code, const char *words)
{
  const DLDataType type = tensor.dtype();
  Require(type.code == code && type.bits == 64 && type.lanes == 1, words);
  Require(tensor.ndim() == 1 && tensor.device().device_type == kDLCPU && tensor.IsContiguous(), words);
  Require(tensor.data_ptr() || tensor.numel() == 0, words);
}

static int64_t Bags(ffi::TensorView x, ffi::TensorView offsets)
{
  RequireVector(x, kDLFloat, "x must be a compact vector of float64");
  RequireVector(offsets, kDLInt, "offsets must be a compact vector of int64");
  const int64_t count = offsets.size(0);
  Require(count > 0, "offsets must not be empty");
  const auto *offset =
      reinterpret_cast<const int64_t *>(static_cast<const char *>(offsets.data_ptr()) + offsets.byte_offset());
  Require(offset[0] == 0 && offset[count - 1] == x.size(0), "offsets must lead from 0 to the end of x");
  const auto *element = reinterpret_cast<const double *>(static_cast<const char *>(x.data_ptr()) + x.byte_offset());
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) sum += element[i];
  Require(sum == 10, "x must add up to 10");
  int64_t empty = 0;
  for (int64_t i = 1; i < count; ++i) {
    Require(offset[i] >= offset[i - 1], "offsets must not fall");
    empty += offset[i] == offset[i - 1];
  }
  return empty;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bags, Bags);
