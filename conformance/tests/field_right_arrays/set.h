// SPDX-License-Identifier: Apache-2.0
// What the kernels of this set have in common.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Array;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

// Element types of 16 bits.
struct half {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};

inline float BitsToFloat(uint32_t u)
{
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint32_t FloatToBits(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}

inline float Load(float v)
{
  return v;
}
inline double Load(double v)
{
  return v;
}
inline float Load(bf16 v)
{
  return BitsToFloat(static_cast<uint32_t>(v.bits) << 16);
}
inline float Load(half v)
{
  const uint32_t sign = static_cast<uint32_t>(v.bits & 0x8000) << 16;
  const uint32_t exponent = (v.bits >> 10) & 31, fraction = v.bits & 1023;
  if (exponent == 31) return BitsToFloat(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    const float tiny = std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -tiny : tiny;
  }
  return BitsToFloat(sign | (exponent + 112) << 23 | fraction << 13);
}

template <typename T>
T Store(double v);
template <>
inline float Store<float>(double v)
{
  return static_cast<float>(v);
}
template <>
inline double Store<double>(double v)
{
  return v;
}
template <>
inline bf16 Store<bf16>(double v)
{
  const uint32_t u = FloatToBits(static_cast<float>(v));
  if ((u & 0x7fffffff) > 0x7f800000) return {static_cast<uint16_t>(u >> 16 | 0x40)};
  return {static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16)};
}
template <>
inline half Store<half>(double v)
{
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  const double a = std::fabs(v);
  if (std::isnan(v)) return {static_cast<uint16_t>(sign | 0x7e00)};
  if (a >= 65520) return {static_cast<uint16_t>(sign | 0x7c00)};
  // The distance of neighbours is 2^(e - 10), and 2^-24 for subnormal numbers.
  int e = -14;
  if (a >= 0x1p-14) e = std::ilogb(a);
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(a, 10 - e)));
  return {static_cast<uint16_t>(sign | (((e + 14) << 10) + steps))};
}

// Data types.
template <typename T>
constexpr DLDataType TypeOf()
{
  if (std::is_same_v<T, half>) return {kDLFloat, 16, 1};
  if (std::is_same_v<T, bf16>) return {kDLBfloat, 16, 1};
  if (std::is_same_v<T, bool>) return {kDLBool, 8, 1};
  if (std::is_floating_point_v<T>) return {kDLFloat, static_cast<uint8_t>(8 * sizeof(T)), 1};
  if (std::is_signed_v<T>) return {kDLInt, static_cast<uint8_t>(8 * sizeof(T)), 1};
  return {kDLUInt, static_cast<uint8_t>(8 * sizeof(T)), 1};
}
inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
template <typename T>
bool Is(DLDataType t)
{
  return Same(t, TypeOf<T>());
}

// The DLTensor of a view, for as long as the view lives. Its strides may be null.
inline const DLTensor *Raw(const TensorView &v)
{
  TVMFFIAny any;
  ffi::TypeTraits<TensorView>::CopyToAnyView(v, &any);
  return static_cast<const DLTensor *>(any.v_ptr);
}

inline int64_t Count(const DLTensor *t)
{
  int64_t n = 1;
  for (int i = 0; i < t->ndim; ++i) n *= t->shape[i];
  return n;
}

inline int64_t Stride(const DLTensor *t, int axis)
{
  if (t->strides != nullptr) return t->strides[axis];
  int64_t s = 1;
  for (int i = t->ndim - 1; i > axis; --i) s *= t->shape[i];
  return s;
}

// The elements, with the offset; refuses what is not on the CPU, or not aligned to its type.
template <typename T>
T *Elements(const DLTensor *t, const char *name)
{
  if (!Is<T>(t->dtype)) TVM_FFI_THROW(TypeError) << name << ": unexpected data type";
  if (t->device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << ": not on the CPU";
  const auto at = reinterpret_cast<uintptr_t>(t->data) + t->byte_offset;
  if (at % alignof(T) != 0 && Count(t) > 0) TVM_FFI_THROW(ValueError) << name << ": misaligned";
  return reinterpret_cast<T *>(at);
}

inline void NeedRank(const DLTensor *t, int rank, const char *name)
{
  if (t->ndim != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, not " << t->ndim;
  }
}

inline void NeedShape(const DLTensor *t, std::initializer_list<int64_t> shape, const char *name)
{
  NeedRank(t, static_cast<int>(shape.size()), name);
  if (!std::equal(shape.begin(), shape.end(), t->shape)) {
    TVM_FFI_THROW(ValueError) << name << " has the wrong shape";
  }
}

inline bool SameShape(const DLTensor *a, const DLTensor *b)
{
  return a->ndim == b->ndim && std::equal(a->shape, a->shape + a->ndim, b->shape);
}

inline void NeedCompact(const DLTensor *t, const char *name)
{
  if (!ffi::IsContiguous(*t)) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

// Elements of the last dimension side by side.
inline void NeedRows(const DLTensor *t, const char *name)
{
  const int last = t->ndim - 1;
  if (t->shape[last] > 1 && Count(t) > 0 && Stride(t, last) != 1) {
    TVM_FFI_THROW(ValueError) << name << ": the last dimension must be dense";
  }
}

// Calls f(offset...) for each index of a shape; offsets in elements, of as many tensors as given.
template <size_t N, typename F>
void Walk(const DLTensor *const (&tensors)[N], F f)
{
  const DLTensor *first = tensors[0];
  const int nd = first->ndim;
  if (Count(first) == 0) return;
  std::vector<int64_t> index(nd, 0), strides(N * nd);
  for (size_t t = 0; t < N; ++t) {
    for (int i = 0; i < nd; ++i) strides[t * nd + i] = Stride(tensors[t], i);
  }
  int64_t at[N] = {};
  for (;;) {
    f(static_cast<const int64_t *>(at));
    int i = nd - 1;
    for (; i >= 0; --i) {
      for (size_t t = 0; t < N; ++t) at[t] += strides[t * nd + i];
      if (++index[i] < first->shape[i]) break;
      for (size_t t = 0; t < N; ++t) at[t] -= strides[t * nd + i] * first->shape[i];
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

// Memory for tensors where the environment has no allocator of its own.
struct Heap {
  void AllocData(DLTensor *t)
  {
    const size_t bytes = (ffi::GetDataSize(*t) + 64) / 64 * 64;
    t->data = std::aligned_alloc(64, bytes);
    if (t->data == nullptr) TVM_FFI_THROW(MemoryError) << bytes << " bytes can't be had";
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline Tensor NewTensor(ffi::ShapeView shape, DLDataType dtype)
{
  const DLDevice cpu{kDLCPU, 0};
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() == nullptr) {
    return Tensor::FromNDAlloc(Heap{}, shape, dtype, cpu);
  }
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, cpu);
}
inline Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  return NewTensor(ffi::ShapeView(shape.begin(), shape.size()), dtype);
}

}  // namespace set
