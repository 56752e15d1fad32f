// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace kit
{

namespace ffi = tvm::ffi;
using ffi::TensorView;

template <typename T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr DLDataType value{kDLFloat, 32, 1};
};
template <>
struct TypeOf<double> {
  static constexpr DLDataType value{kDLFloat, 64, 1};
};
template <>
struct TypeOf<uint8_t> {
  static constexpr DLDataType value{kDLUInt, 8, 1};
};
template <>
struct TypeOf<int32_t> {
  static constexpr DLDataType value{kDLInt, 32, 1};
};
template <>
struct TypeOf<int64_t> {
  static constexpr DLDataType value{kDLInt, 64, 1};
};

template <typename T>
bool holds(const TensorView &t)
{
  DLDataType have = t.dtype(), want = TypeOf<T>::value;
  return have.code == want.code && have.bits == want.bits && have.lanes == want.lanes;
}

// Device, rank, and no gaps between elements: what all kernels here ask for.
inline void on_cpu(const TensorView &t, const char *name, int ndim)
{
  if (t.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  if (t.ndim() != ndim) {
    TVM_FFI_THROW(ValueError) << name << " must have " << ndim << " dimensions, not " << t.ndim();
  }
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

// The first element, after all that is asked of a tensor of T. An offset in bytes counts.
template <typename T>
T *elements(const TensorView &t, const char *name, int ndim)
{
  if (!holds<T>(t)) {
    TVM_FFI_THROW(TypeError) << name << " must be of " << ffi::DLDataTypeToString(TypeOf<T>::value)
                             << ", not " << ffi::DLDataTypeToString(t.dtype());
  }
  on_cpu(t, name, ndim);
  if (t.numel() == 0) return nullptr;
  char *at = static_cast<char *>(t.data_ptr()) + t.byte_offset();
  if (t.data_ptr() == nullptr || reinterpret_cast<uintptr_t>(at) % alignof(T) != 0) {
    TVM_FFI_THROW(ValueError) << name << " has no memory, or memory that is not aligned";
  }
  return reinterpret_cast<T *>(at);
}

template <typename T>
ffi::Tensor make(std::vector<int64_t> shape)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                                   TypeOf<T>::value, DLDevice{kDLCPU, 0});
}

// Memory that this module itself has asked for.
template <typename T>
T *fresh(const ffi::Tensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

}  // namespace kit
