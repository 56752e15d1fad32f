// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common: element types, checks of tensors, new tensors.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kit
{

namespace ffi = tvm::ffi;

inline constexpr DLDevice kHost{kDLCPU, 0};

template <typename T>
constexpr DLDataType type_of()
{
  constexpr uint8_t bits = sizeof(T) * 8;
  if constexpr (std::is_same_v<T, bool>)
    return {kDLBool, 8, 1};
  else if constexpr (std::is_floating_point_v<T>)
    return {kDLFloat, bits, 1};
  else if constexpr (std::is_signed_v<T>)
    return {kDLInt, bits, 1};
  else
    return {kDLUInt, bits, 1};
}

inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// The first element; `V` is Tensor or TensorView, whose data_ptr() leaves the byte offset out.
template <typename T, typename V>
T *start(const V &v)
{
  return reinterpret_cast<T *>(static_cast<char *>(v.data_ptr()) + v.byte_offset());
}

template <typename T>
T *start(const DLTensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data) + t.byte_offset);
}

// Checks that `v` is a compact tensor of T with so many dimensions on the CPU.
template <typename T, typename V>
T *dense(const V &v, const char *name, int rank)
{
  if (!same(v.dtype(), type_of<T>())) TVM_FFI_THROW(TypeError) << name << ": wrong data type";
  if (v.ndim() != rank)
    TVM_FFI_THROW(ValueError) << name << ": expected " << rank << " dimensions, got " << v.ndim();
  if (v.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << ": not on the CPU";
  if (!v.IsContiguous()) TVM_FFI_THROW(ValueError) << name << ": not contiguous";
  T *p = start<T>(v);
  if (reinterpret_cast<uintptr_t>(p) % alignof(T) != 0)
    TVM_FFI_THROW(ValueError) << name << ": elements are not aligned";
  return p;
}

// Stride of dimension i in elements, also where the strides are left out.
inline int64_t stride(const DLTensor *t, int i)
{
  if (t->strides != nullptr) return t->strides[i];
  int64_t s = 1;
  for (int k = t->ndim - 1; k > i; --k) s *= t->shape[k];
  return s;
}

inline ffi::Tensor fresh(std::initializer_list<int64_t> shape, DLDataType type)
{
  ffi::ShapeView view(shape.begin(), shape.size());
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, view, type, kHost);
}

// Memory of this module, where the environment is not asked for any.
struct Heap {
  void AllocData(DLTensor *t)
  {
    size_t bytes = ffi::GetDataSize(*t);
    t->data = ::operator new(bytes > 0 ? bytes : 1, std::align_val_t(64));
  }
  void FreeData(DLTensor *t)
  {
    ::operator delete(t->data, std::align_val_t(64));
  }
};

inline ffi::Tensor own(std::initializer_list<int64_t> shape, DLDataType type)
{
  ffi::ShapeView view(shape.begin(), shape.size());
  return ffi::Tensor::FromNDAlloc(Heap(), view, type, kHost);
}

}  // namespace kit
