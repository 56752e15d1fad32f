// SPDX-License-Identifier: Apache-2.0
// census(x, out): how often each number from 0 to 15 is among the elements of x. An including file may
// have one place to count in for all calls.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CENSUS_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CENSUS_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <vector>

#ifndef STORAGE
#define STORAGE
#endif

namespace counting
{

namespace ffi = tvm::ffi;

enum { KINDS = 16 };

inline const char *Check(ffi::TensorView tensor, uint8_t bits, const char *name)
{
  const DLDataType type = tensor.dtype();
  if (type.code != kDLInt || type.bits != bits || type.lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " has another data type";
  if (tensor.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must be a vector";
  if (tensor.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " is elsewhere";
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (!tensor.data_ptr() && tensor.size(0) > 0) TVM_FFI_THROW(ValueError) << name << " has no data";
  return static_cast<const char *>(tensor.data_ptr()) + tensor.byte_offset();
}

inline void Census(ffi::TensorView x, ffi::TensorView out)
{
  STORAGE std::vector<int64_t> counts;
  const auto *from = reinterpret_cast<const int32_t *>(Check(x, 32, "x"));
  auto *to = reinterpret_cast<int64_t *>(const_cast<char *>(Check(out, 64, "out")));
  if (out.size(0) != KINDS) TVM_FFI_THROW(ValueError) << "out must have 16 elements";
  for (int64_t i = 0; i < x.size(0); ++i)
    if (from[i] < 0 || from[i] >= KINDS) TVM_FFI_THROW(ValueError) << "x holds what is no kind";
  counts.assign(KINDS, 0);
  for (int64_t i = 0; i < x.size(0); ++i) ++counts[static_cast<size_t>(from[i])];
  for (size_t i = 0; i < KINDS; ++i) to[i] = counts[i];
}

}  // namespace counting

TVM_FFI_DLL_EXPORT_TYPED_FUNC(census, counting::Census)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_CENSUS_H_
