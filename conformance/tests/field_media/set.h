// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::Shape;
using ffi::ShapeView;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

#define REQUIRE(cond, Kind, msg)             \
  do {                                       \
    if (!(cond)) TVM_FFI_THROW(Kind) << msg; \
  } while (0)

constexpr DLDataType kU8{kDLUInt, 8, 1}, kI8{kDLInt, 8, 1}, kI16{kDLInt, 16, 1},
    kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1}, kF16{kDLFloat, 16, 1}, kBF16{kDLBfloat, 16, 1},
    kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1}, kE4M3{kDLFloat8_e4m3fn, 8, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool OneOf(DLDataType t, std::initializer_list<DLDataType> l)
{
  for (DLDataType d : l)
    if (Same(t, d)) return true;
  return false;
}

inline int64_t Numel(const TensorView &t)
{
  int64_t n = 1;
  for (int i = 0; i < t.ndim(); ++i) n *= t.size(i);
  return n;
}

template <typename T>
inline T *Ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// dtype, device and alignment of a tensor, whatever its rank
inline void CheckType(const char *name, const TensorView &t,
                      std::initializer_list<DLDataType> types)
{
  REQUIRE(OneOf(t.dtype(), types), TypeError,
          name << ": unsupported dtype " << ffi::DLDataTypeToString(t.dtype()));
  REQUIRE(t.device().device_type == kDLCPU, ValueError, name << ": must be on the CPU");
  if (Numel(t) > 0) {
    REQUIRE(t.data_ptr() != nullptr, ValueError, name << ": has no data");
    size_t size = (t.dtype().bits + 7) / 8;
    REQUIRE(reinterpret_cast<uintptr_t>(Ptr<char>(t)) % size == 0, ValueError,
            name << ": misaligned");
  }
}
inline void CheckRank(const char *name, const TensorView &t, int ndim)
{
  REQUIRE(t.ndim() == ndim, ValueError, name << ": rank " << ndim << " expected, got " << t.ndim());
}
inline void CheckShape(const char *name, const TensorView &t, std::initializer_list<int64_t> shape)
{
  CheckRank(name, t, static_cast<int>(shape.size()));
  int i = 0;
  for (int64_t e : shape) {
    REQUIRE(t.size(i) == e, ValueError,
            name << ": extent " << i << " must be " << e << ", got " << t.size(i));
    ++i;
  }
}
inline int64_t StrideOf(const TensorView &t, int i)
{
  if (t.size(i) == 1) return 0;  // never multiplied by anything but 0
  return t.strides()[i];
}
inline void CheckContiguous(const char *name, const TensorView &t)
{
  if (Numel(t) == 0) return;
  int64_t want = 1;
  for (int i = t.ndim() - 1; i >= 0; --i) {
    if (t.size(i) != 1) {
      REQUIRE(t.strides()[i] == want, ValueError, name << ": must be contiguous");
    }
    want *= t.size(i);
  }
}
inline void CheckRows(const char *name, const TensorView &t)
{
  if (Numel(t) == 0 || t.ndim() == 0) return;
  int last = t.ndim() - 1;
  REQUIRE(t.size(last) == 1 || t.strides()[last] == 1, ValueError,
          name << ": the last dimension must be dense");
}

inline Tensor Alloc(const std::vector<int64_t> &shape, DLDataType type)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), type,
                              DLDevice{kDLCPU, 0});
}

inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, exp = (h >> 10) & 31, man = h & 0x3ff,
           bits;
  if (exp == 31) {
    bits = sign | 0x7f800000 | (man << 13);
  } else if (exp) {
    bits = sign | ((exp + 112) << 23) | (man << 13);
  } else {
    float f = std::ldexp(static_cast<float>(man), -24);
    return sign ? -f : f;
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
// rounds once, from double
inline uint16_t DoubleToHalf(double d)
{
  uint16_t sign = std::signbit(d) ? 0x8000 : 0;
  if (std::isnan(d)) return sign | 0x7e00;
  double a = std::fabs(d);
  if (a >= 65520.0) return sign | 0x7c00;
  if (a < std::ldexp(1.0, -14))
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(a, 24)));
  int e;
  std::frexp(a, &e);  // a = m * 2^e, m in [0.5, 1)
  int64_t m = static_cast<int64_t>(std::nearbyint(std::ldexp(a, 11 - e)));  // 1024..2048
  if (m == 2048) {
    m = 1024;
    ++e;
  }
  return sign | static_cast<uint16_t>(((e + 14) << 10) + (m - 1024));
}
inline float Bf16ToFloat(uint16_t h)
{
  uint32_t bits = static_cast<uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint16_t DoubleToBf16(double d)
{
  if (std::isnan(d)) return 0x7fc0;
  float f = static_cast<float>(d);
  if (!std::isinf(f) &&
      static_cast<double>(f) != d) {  // round to odd first, so that nothing is rounded twice
    float t = f;
    if (std::fabs(static_cast<double>(t)) > std::fabs(d)) t = std::nextafterf(t, 0.0f);
    uint32_t b;
    std::memcpy(&b, &t, 4);
    b |= 1;
    std::memcpy(&f, &b, 4);
  }
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if (std::isinf(f)) return bits >> 16;
  bits += 0x7fff + ((bits >> 16) & 1);
  return bits >> 16;
}

// an element of any of the float types as double
inline double Load(const void *p, DLDataType t, int64_t i)
{
  if (Same(t, kF32)) return static_cast<const float *>(p)[i];
  if (Same(t, kF64)) return static_cast<const double *>(p)[i];
  uint16_t h = static_cast<const uint16_t *>(p)[i];
  return Same(t, kF16) ? HalfToFloat(h) : Bf16ToFloat(h);
}
inline void Store(void *p, DLDataType t, int64_t i, double v)
{
  if (Same(t, kF32))
    static_cast<float *>(p)[i] = static_cast<float>(v);
  else if (Same(t, kF64))
    static_cast<double *>(p)[i] = v;
  else
    static_cast<uint16_t *>(p)[i] = Same(t, kF16) ? DoubleToHalf(v) : DoubleToBf16(v);
}

// f(begin, end) over [0, n) on up to four threads; the caller takes the first part
template <typename F>
inline void ParallelFor(int64_t n, int64_t grain, F f)
{
  int64_t parts = std::min<int64_t>(4, (n + grain - 1) / grain);
  if (parts <= 1) {
    if (n > 0) f(static_cast<int64_t>(0), n);
    return;
  }
  std::vector<std::thread> threads;
  std::exception_ptr error;
  std::mutex lock;
  auto part = [&](int64_t p) {
    try {
      f(n * p / parts, n * (p + 1) / parts);
    } catch (...) {
      std::lock_guard<std::mutex> hold(lock);
      if (!error) error = std::current_exception();
    }
  };
  int64_t started = 1;
  try {
    threads.reserve(parts);
    for (; started < parts; ++started) threads.emplace_back(part, started);
  } catch (...) {  // no more threads to be had
  }
  part(0);
  for (int64_t p = started; p < parts; ++p) part(p);
  for (std::thread &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
