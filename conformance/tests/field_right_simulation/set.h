// SPDX-License-Identifier: Apache-2.0
// Helpers that the kernels of this folder have in common.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <set>
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
  constexpr uint8_t code = std::is_floating_point_v<T> ? kDLFloat
                           : std::is_signed_v<T>       ? kDLInt
                                                       : kDLUInt;
  return DLDataType{code, static_cast<uint8_t>(sizeof(T) * 8), 1};
}

inline bool SameType(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

constexpr int64_t kAny = -1;

// Checks everything about a compact tensor in host memory, and gives its first element.
// Where an extent is kAny, any is right.
template <typename T>
T *Cells(const DLTensor &t, const char *name, std::initializer_list<int64_t> extents)
{
  if (!SameType(t.dtype, TypeOf<T>())) {
    TVM_FFI_THROW(TypeError) << name << " has a wrong data type";
  }
  if (t.ndim != static_cast<int32_t>(extents.size())) {
    TVM_FFI_THROW(ValueError) << name << " must have " << extents.size() << " dimensions, not "
                              << t.ndim;
  }
  if (t.device.device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be in the memory of the CPU";
  }
  int64_t i = 0;
  int64_t count = 1;
  for (int64_t want : extents) {
    const int64_t have = t.shape[i];
    if (have < 0 || (want != kAny && want != have)) {
      TVM_FFI_THROW(ValueError) << name << " has extent " << have << " in dimension " << i;
    }
    if (__builtin_mul_overflow(count, have, &count)) {
      TVM_FFI_THROW(ValueError) << name << " is too large";
    }
    ++i;
  }
  if (count == 0) return nullptr;
  if (t.strides != nullptr) {
    int64_t step = 1;
    for (int32_t k = t.ndim - 1; k >= 0; --k) {
      if (t.shape[k] != 1 && t.strides[k] != step) {
        TVM_FFI_THROW(ValueError) << name << " must be contiguous";
      }
      step *= t.shape[k];
    }
  }
  if (t.data == nullptr) TVM_FFI_THROW(ValueError) << name << " has no data";
  char *at = static_cast<char *>(t.data) + t.byte_offset;
  if (reinterpret_cast<uintptr_t>(at) % alignof(T) != 0) {
    TVM_FFI_THROW(ValueError) << name << " is not aligned";
  }
  return reinterpret_cast<T *>(at);
}

template <typename T>
T *Cells(const ffi::TensorView &v, const char *name, std::initializer_list<int64_t> extents)
{
  DLTensor t{};
  t.data = v.data_ptr();
  t.device = v.device();
  t.ndim = v.ndim();
  t.dtype = v.dtype();
  t.shape = const_cast<int64_t *>(v.shape().data());
  t.byte_offset = v.byte_offset();
  t.strides = nullptr;
  if (!v.IsContiguous()) t.strides = const_cast<int64_t *>(v.strides().data());
  return Cells<T>(t, name, extents);
}

template <typename T>
T *Cells(const ffi::Tensor &t, const char *name, std::initializer_list<int64_t> extents)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << " must be a tensor, not None";
  return Cells<T>(*t.GetDLTensorPtr(), name, extents);
}

}  // namespace kit

// Declares NAME, a reference to an OBJECT that is never None.
#define KIT_HANDLE(NAME, OBJECT)                                                        \
  class NAME : public ::tvm::ffi::ObjectRef                                             \
  {                                                                                     \
   public:                                                                              \
    explicit NAME(::tvm::ffi::ObjectPtr<OBJECT> made) : ObjectRef(std::move(made))      \
    {                                                                                   \
    }                                                                                   \
    TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(NAME, ::tvm::ffi::ObjectRef, OBJECT); \
  }
