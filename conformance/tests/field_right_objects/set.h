// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common: views of CPU tensors, new tensors, option maps.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kit
{

namespace ffi = tvm::ffi;

template <typename T>
constexpr DLDataType TypeOf()
{
  if constexpr (std::is_floating_point_v<T>) {
    return DLDataType{kDLFloat, sizeof(T) * 8, 1};
  } else if constexpr (std::is_signed_v<T>) {
    return DLDataType{kDLInt, sizeof(T) * 8, 1};
  } else {
    return DLDataType{kDLUInt, sizeof(T) * 8, 1};
  }
}

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline int64_t Count(const DLTensor &t)
{
  int64_t n = 1;
  for (int i = 0; i < t.ndim; ++i) n *= t.shape[i];
  return n;
}

// Distance of neighbours along `axis`, in elements; tensors without strides are compact.
inline int64_t Step(const DLTensor &t, int axis)
{
  if (t.strides != nullptr) return t.strides[axis];
  int64_t step = 1;
  for (int i = t.ndim - 1; i > axis; --i) step *= t.shape[i];
  return step;
}

inline bool Compact(const DLTensor &t)
{
  if (t.strides == nullptr || Count(t) == 0) return true;
  int64_t step = 1;
  for (int i = t.ndim - 1; i >= 0; --i) {
    if (t.shape[i] != 1 && t.strides[i] != step) return false;
    step *= t.shape[i];
  }
  return true;
}

inline char *Bytes(const DLTensor &t)
{
  return static_cast<char *>(t.data) + t.byte_offset;
}

// Elements of a CPU tensor of type T.
template <typename T>
T *Cells(const DLTensor &t, const char *what)
{
  if (t.device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << what << " must be on the CPU";
  if (!Same(t.dtype, TypeOf<T>())) {
    TVM_FFI_THROW(TypeError) << what << " must be " << ffi::DLDataTypeToString(TypeOf<T>())
                             << ", not " << ffi::DLDataTypeToString(t.dtype);
  }
  char *at = Bytes(t);
  if (Count(t) != 0 && reinterpret_cast<uintptr_t>(at) % alignof(T) != 0) {
    TVM_FFI_THROW(ValueError) << what << " is not aligned to its elements";
  }
  return reinterpret_cast<T *>(at);
}

inline void Rank(const DLTensor &t, int ndim, const char *what)
{
  if (t.ndim != ndim) {
    TVM_FFI_THROW(ValueError) << what << " must have " << ndim << " dimensions, not " << t.ndim;
  }
}

inline void Dense(const DLTensor &t, const char *what)
{
  if (!Compact(t)) TVM_FFI_THROW(ValueError) << what << " must be contiguous";
}

// Tensor is nullable: None arrives as an undefined one.
inline const DLTensor &Given(const ffi::Tensor &t, const char *what)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << what << " must be a tensor, not None";
  return *t.GetDLTensorPtr();
}

struct CpuAlloc {
  void AllocData(DLTensor *t)
  {
    size_t size = ffi::GetDataSize(*t);
    t->data = std::malloc(size == 0 ? 1 : size);
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline ffi::Tensor NewTensor(ffi::ShapeView shape, DLDataType dtype)
{
  return ffi::Tensor::FromNDAlloc(CpuAlloc(), shape, dtype, DLDevice{kDLCPU, 0});
}

inline std::string_view View(const ffi::String &s)
{
  return {s.data(), s.size()};
}

}  // namespace kit
