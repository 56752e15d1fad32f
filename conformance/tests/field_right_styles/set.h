// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common.
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
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace x4
{

namespace ffi = tvm::ffi;

// The data type of elements of T.
template <typename T>
constexpr DLDataType type_of()
{
  static_assert(std::is_arithmetic_v<T>);
  uint8_t code = std::is_floating_point_v<T> ? kDLFloat : std::is_signed_v<T> ? kDLInt : kDLUInt;
  return DLDataType{code, static_cast<uint8_t>(sizeof(T) * 8), 1};
}

template <typename T>
inline bool holds(DLDataType t)
{
  return t == type_of<T>();
}

// The number of elements. Extents whose product 63 bits can't hold are an error.
inline int64_t count(ffi::ShapeView s)
{
  int64_t n = 1;
  for (int64_t e : s) {
    if (e == 0) return 0;
  }
  for (int64_t e : s) {
    if (e < 0 || __builtin_mul_overflow(n, e, &n)) TVM_FFI_THROW(ValueError) << "bad shape " << s;
  }
  return n;
}

// The first element, where byte_offset says that it is.
inline char *bytes_of(const ffi::TensorView &x)
{
  return static_cast<char *>(x.data_ptr()) + x.byte_offset();
}

template <typename T>
inline T *first(const ffi::TensorView &x)
{
  return reinterpret_cast<T *>(bytes_of(x));
}

// On the CPU, without gaps, and aligned to its elements.
inline void plain(const ffi::TensorView &x, const char *name)
{
  TVM_FFI_CHECK(x.device().device_type == kDLCPU, ValueError) << name << " has to be on the CPU";
  TVM_FFI_CHECK(x.IsContiguous(), ValueError) << name << " has to be contiguous";
  size_t size = (x.dtype().bits * x.dtype().lanes + 7) / 8;
  TVM_FFI_CHECK(count(x.shape()) == 0 || size == 0 ||
                    reinterpret_cast<uintptr_t>(bytes_of(x)) % std::min<size_t>(size, 8) == 0,
                ValueError)
      << name << " has to be aligned to its elements";
}

// Strides in elements, also of a tensor that has none because it is compact.
inline std::vector<int64_t> strides_of(const DLTensor &x)
{
  std::vector<int64_t> s(x.ndim);
  if (x.strides != nullptr) {
    s.assign(x.strides, x.strides + x.ndim);
  } else {
    int64_t next = 1;
    for (int i = x.ndim - 1; i >= 0; --i) {
      s[i] = next;
      next = static_cast<int64_t>(static_cast<uint64_t>(next) * static_cast<uint64_t>(x.shape[i]));
    }
  }
  return s;
}

// Memory for results where the environment has no allocator.
struct Heap {
  void AllocData(DLTensor *t)
  {
    size_t size = (ffi::GetDataSize(*t) + 63) / 64 * 64;
    t->data = std::aligned_alloc(64, size == 0 ? 64 : size);
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline ffi::Tensor make(ffi::ShapeView shape, DLDataType type)
{
  if (count(shape) > (int64_t{1} << 46)) TVM_FFI_THROW(ValueError) << "too large: " << shape;
  DLDevice cpu{kDLCPU, 0};
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() != nullptr) {
    return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, type, cpu);
  }
  return ffi::Tensor::FromNDAlloc(Heap{}, shape, type, cpu);
}

inline ffi::Tensor make(std::initializer_list<int64_t> shape, DLDataType type)
{
  return make(ffi::ShapeView(shape.begin(), shape.size()), type);
}

}  // namespace x4
