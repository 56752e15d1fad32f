// SPDX-License-Identifier: Apache-2.0
// Small helpers that the kernels of this set share: checks, access, half precision, allocation.
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
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace set
{
namespace ffi = ::tvm::ffi;

inline bool is(DLDataType t, int code, int bits)
{
  return t.code == code && t.bits == bits && t.lanes == 1;
}
inline bool is_f64(DLDataType t)
{
  return is(t, kDLFloat, 64);
}
inline bool is_f32(DLDataType t)
{
  return is(t, kDLFloat, 32);
}
inline bool is_f16(DLDataType t)
{
  return is(t, kDLFloat, 16);
}
inline bool is_bf16(DLDataType t)
{
  return is(t, kDLBfloat, 16);
}
inline bool is_i32(DLDataType t)
{
  return is(t, kDLInt, 32);
}
inline bool is_i64(DLDataType t)
{
  return is(t, kDLInt, 64);
}
inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
template <class A, class B>
bool same_shape(const A &a, const B &b)
{
  return a.ndim() == b.ndim() && std::equal(a.shape().begin(), a.shape().end(), b.shape().begin());
}

// First element; the byte offset counts.
template <class T, class X>
T *ptr(const X &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}
template <class X>
bool on_cpu(const X &t)
{
  return t.device().device_type == kDLCPU;
}
template <class X>
bool aligned(const X &t)
{
  size_t bytes = (static_cast<size_t>(t.dtype().bits) * t.dtype().lanes + 7) / 8;
  return bytes == 0 || reinterpret_cast<uintptr_t>(ptr<char>(t)) % bytes == 0;
}

// A Tensor parameter of a typed function also takes None.
inline void need_given(const ffi::Tensor &t, const char *name)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << ": expected a tensor, got None";
}
inline void need_given(const ffi::TensorView &, const char *)
{
}

// Host memory, dense, of the stated rank (-1: any), elements at their natural alignment.
template <class X>
void need_dense(const X &t, const char *name, int rank)
{
  need_given(t, name);
  if (!on_cpu(t)) TVM_FFI_THROW(ValueError) << name << ": only CPU tensors are supported";
  if (rank >= 0 && t.ndim() != rank) {
    TVM_FFI_THROW(ValueError) << name << ": expected " << rank << " dimensions, got " << t.ndim();
  }
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << ": must be contiguous";
  if (!aligned(t)) TVM_FFI_THROW(ValueError) << name << ": data is not aligned to its elements";
}

// Strides in elements, also where the producer left them out.
template <class X>
std::vector<int64_t> strides_of(const X &t)
{
  std::vector<int64_t> s(static_cast<size_t>(t.ndim()));
  if (t.IsContiguous()) {
    int64_t step = 1;
    for (int i = t.ndim() - 1; i >= 0; --i) {
      s[i] = step;
      step *= std::max<int64_t>(t.shape()[i], 1);
    }
  } else {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.stride(i);
  }
  return s;
}

// Calls f(offset in elements) for each element, last dimension fastest.
template <class X, class F>
void walk(const X &t, F &&f)
{
  std::vector<int64_t> s = strides_of(t), at(s.size(), 0);
  int64_t left = t.numel(), off = 0;
  while (left-- > 0) {
    f(off);
    for (int i = t.ndim() - 1; i >= 0; --i) {
      off += s[i];
      if (++at[i] < t.shape()[i]) break;
      off -= s[i] * at[i];
      at[i] = 0;
    }
  }
}

template <class T>
T bits_of(const void *p)
{
  T v;
  std::memcpy(&v, p, sizeof(T));
  return v;
}

struct bf16 {
  uint16_t u;
  static bf16 of(double d)
  {
    float f = static_cast<float>(d);
    uint32_t b = bits_of<uint32_t>(&f);
    if (std::isnan(f)) return {static_cast<uint16_t>((b >> 16) | 0x40)};
    return {static_cast<uint16_t>((b + 0x7fff + ((b >> 16) & 1)) >> 16)};
  }
  operator double() const
  {
    uint32_t b = static_cast<uint32_t>(u) << 16;
    return bits_of<float>(&b);
  }
};

struct f16 {
  uint16_t u;
  static f16 of(double d)
  {
    uint16_t sign = std::signbit(d) ? 0x8000 : 0;
    double a = std::fabs(d);
    if (std::isnan(d)) return {static_cast<uint16_t>(sign | 0x7e00)};
    if (a >= 65520.0) return {static_cast<uint16_t>(sign | 0x7c00)};
    if (a < 0x1p-14) {  // subnormal: a multiple of 2^-24
      return {static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(a * 0x1p24)))};
    }
    int e;
    double m = std::frexp(a, &e);  // in [0.5, 1)
    int q = static_cast<int>(std::nearbyint(m * 2048.0));
    if (q == 2048) q = 1024, ++e;
    return {static_cast<uint16_t>(sign | ((e + 14) << 10) | (q - 1024))};
  }
  operator double() const
  {
    int e = (u >> 10) & 31, m = u & 1023;
    double v = e == 0    ? m * 0x1p-24
               : e == 31 ? (m ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity())
                         : std::ldexp(1024.0 + m, e - 25);
    return (u & 0x8000) ? -v : v;
  }
};

template <class T>
T to(double v)
{
  if constexpr (std::is_same_v<T, bf16> || std::is_same_v<T, f16>) {
    return T::of(v);
  } else {
    return static_cast<T>(v);
  }
}

// Calls f(T{}) for the float type of 32 or 16 bits; false if it is none of them.
template <class F>
bool for_float(DLDataType t, F &&f)
{
  if (is_f32(t)) return f(float{}), true;
  if (is_f16(t)) return f(f16{}), true;
  if (is_bf16(t)) return f(bf16{}), true;
  return false;
}

struct Heap {
  void AllocData(DLTensor *t)
  {
    size_t bytes = (ffi::GetDataSize(*t) + 63) / 64 * 64;
    t->data = std::aligned_alloc(64, std::max<size_t>(bytes, 64));
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline ffi::Tensor empty(ffi::ShapeView shape, DLDataType dtype)
{
  return ffi::Tensor::FromNDAlloc(Heap(), shape, dtype, DLDevice{kDLCPU, 0});
}
}  // namespace set
