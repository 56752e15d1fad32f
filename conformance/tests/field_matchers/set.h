// SPDX-License-Identifier: Apache-2.0
// Helpers that all kernels of this set share.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;

constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kBool{kDLBool, 8, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string Name(DLDataType t)
{
  static const char *const kCodes[] = {"int",    "uint",    "float", "handle",
                                       "bfloat", "complex", "bool"};
  std::string s = t.code < 7 ? kCodes[t.code] : "code" + std::to_string(int(t.code)) + "_";
  if (t.code != kDLBool || t.bits != 8) s += std::to_string(int(t.bits));
  if (t.lanes != 1) s += "x" + std::to_string(int(t.lanes));
  return s;
}

// The dtype is one of those listed, the rank is right, and the tensor is in the host's memory.
inline void CheckKind(const ffi::TensorView &t, const char *name, int rank,
                      std::initializer_list<DLDataType> dtypes)
{
  bool known = false;
  for (DLDataType d : dtypes) known = known || Same(d, t.dtype());
  if (!known) {
    TVM_FFI_THROW(TypeError) << name << " has the unsupported dtype " << Name(t.dtype());
  }
  if (t.ndim() != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, has " << t.ndim();
  }
  if (t.device().device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  }
}

inline bool IsDense(const DLTensor &t)
{
  if (t.strides == nullptr) return true;
  for (int i = 0; i < t.ndim; ++i) {
    if (t.shape[i] == 0) return true;
  }
  int64_t expected = 1;
  for (int i = t.ndim - 1; i >= 0; --i) {
    if (t.shape[i] != 1 && t.strides[i] != expected) return false;
    expected *= t.shape[i];
  }
  return true;
}

// TensorView does not show whether strides are null, so that each argument is read as a DLTensor.
struct View {
  DLTensor t;
  View(const ffi::TensorView &v)
  {  // NOLINT
    t = DLTensor{};
    t.data = v.data_ptr();
    t.device = v.device();
    t.ndim = v.ndim();
    t.dtype = v.dtype();
    t.shape = const_cast<int64_t *>(v.shape().data());
    t.byte_offset = v.byte_offset();
    t.strides = Strides(v);
  }
  static int64_t *Strides(const ffi::TensorView &v)
  {
    if (v.ndim() == 0) return nullptr;
    // The first member of a TensorView is the DLTensor itself.
    DLTensor copy;
    static_assert(sizeof(copy) == sizeof(v), "TensorView is a DLTensor");
    std::memcpy(static_cast<void *>(&copy), static_cast<const void *>(&v), sizeof(copy));
    return copy.strides;
  }
  int64_t stride(int i) const
  {
    if (t.strides != nullptr) return t.strides[i];
    int64_t s = 1;
    for (int k = t.ndim - 1; k > i; --k) s *= t.shape[k];
    return s;
  }
};

inline void CheckDense(const ffi::TensorView &v, const char *name)
{
  if (!IsDense(View(v).t)) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

template <typename T>
inline T *Data(const ffi::TensorView &v)
{
  return reinterpret_cast<T *>(static_cast<char *>(v.data_ptr()) + v.byte_offset());
}

inline void CheckData(const ffi::TensorView &v, const char *name)
{
  if (v.numel() == 0) return;
  if (v.data_ptr() == nullptr) TVM_FFI_THROW(ValueError) << name << " has no memory";
  if (reinterpret_cast<uintptr_t>(Data<char>(v)) % (v.dtype().bits / 8) != 0) {
    TVM_FFI_THROW(ValueError) << name << " must be aligned to its elements";
  }
}

inline void CheckSize(const ffi::TensorView &v, const char *name, int axis, int64_t want)
{
  if (v.size(axis) != want) {
    TVM_FFI_THROW(ValueError) << name << " must have extent " << want << " in dimension " << axis
                              << ", has " << v.size(axis);
  }
}

struct HostMemory {
  void AllocData(DLTensor *t)
  {
    size_t bytes = ffi::GetDataSize(*t);
    t->data = nullptr;
    if (posix_memalign(&t->data, 64, bytes == 0 ? 64 : bytes) != 0) {
      TVM_FFI_THROW(RuntimeError) << "out of memory";
    }
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline ffi::Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  return ffi::Tensor::FromNDAlloc(HostMemory(), ffi::Shape(shape), dtype, DLDevice{kDLCPU, 0});
}

}  // namespace set
