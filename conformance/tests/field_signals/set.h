// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder: checks, data types, allocation, fp16/bf16, parallel loops.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

constexpr DLDataType kU8{kDLUInt, 8, 1};
constexpr DLDataType kI8{kDLInt, 8, 1};
constexpr DLDataType kI16{kDLInt, 16, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kBool{kDLBool, 8, 1};

inline bool Is(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// ---- checks ----
#define REQUIRE(cond, Kind) \
  if (!(cond)) TVM_FFI_THROW(Kind)

inline TensorView View(const Tensor &t, const char *name)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << ": expected a tensor, got None";
  return TensorView(t);
}

inline void CheckDType(const TensorView &t, const char *name, std::initializer_list<DLDataType> any)
{
  for (DLDataType d : any)
    if (Is(t.dtype(), d)) return;
  TVM_FFI_THROW(TypeError) << name << ": data type " << ffi::DLDataTypeToString(t.dtype())
                           << " is not supported";
}

inline void CheckCPU(const TensorView &t, const char *name)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError) << name << ": has to be on the CPU";
}

inline void CheckRank(const TensorView &t, const char *name, int rank)
{
  REQUIRE(t.ndim() == rank, ValueError)
      << name << ": expected " << rank << " dimensions, got " << t.ndim();
}

inline void CheckDim(const TensorView &t, const char *name, int dim, int64_t n)
{
  REQUIRE(t.size(dim) == n, ValueError)
      << name << ": extent " << dim << " is " << t.size(dim) << ", expected " << n;
}

inline void CheckContiguous(const TensorView &t, const char *name)
{
  REQUIRE(t.IsContiguous(), ValueError) << name << ": has to be contiguous";
}

template <class T>
inline T *Ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline void CheckAligned(const TensorView &t, const char *name, size_t bytes)
{
  REQUIRE(reinterpret_cast<uintptr_t>(Ptr<char>(t)) % bytes == 0, ValueError)
      << name << ": has to be aligned to " << bytes << " bytes";
}

// Elements of the last dimension lie side by side.
inline void CheckRows(const TensorView &t, const char *name)
{
  if (t.IsContiguous()) return;
  int last = t.ndim() - 1;
  REQUIRE(t.size(last) <= 1 || t.stride(last) == 1, ValueError)
      << name << ": elements of the last dimension have to lie side by side";
}

// dtype, CPU, alignment to the element; rank
inline void CheckTensor(const TensorView &t, const char *name,
                        std::initializer_list<DLDataType> any, int rank)
{
  CheckDType(t, name, any);
  CheckCPU(t, name);
  CheckRank(t, name, rank);
  CheckAligned(t, name, t.dtype().bits / 8);
}

// ---- allocation ----
inline Tensor Alloc(std::initializer_list<int64_t> shape, DLDataType dtype, DLDevice device)
{
  std::vector<int64_t> s(shape);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(s.data(), s.size()), dtype,
                              device);
}

// ---- 16 bit floats ----
inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = (h & 0x8000u) << 16, exp = (h >> 10) & 31, man = h & 0x3ff, bits;
  if (exp == 0) {
    float f = std::ldexp(static_cast<float>(man), -24);
    return sign ? -f : f;
  }
  bits =
      exp == 31 ? (sign | 0x7f800000u | (man << 13)) : (sign | ((exp + 112) << 23) | (man << 13));
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t DoubleToHalf(double d)
{
  uint16_t sign = std::signbit(d) ? 0x8000 : 0;
  if (std::isnan(d)) return sign | 0x7e00;
  double a = std::fabs(d);
  if (a >= 65520.0) return sign | 0x7c00;
  if (a < 6.103515625e-05) {  // subnormal, or the smallest normal number
    return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(a, 24)));
  }
  int e;
  double m = std::frexp(a, &e);                                 // a = m * 2^e, m in [0.5, 1)
  int q = static_cast<int>(std::nearbyint(std::ldexp(m, 11)));  // 1024..2048
  return sign | static_cast<uint16_t>(((e + 14) << 10) + (q - 1024));
}

inline float BFloatToFloat(uint16_t b)
{
  uint32_t bits = static_cast<uint32_t>(b) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t FloatToBFloat(float f)
{
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if (std::isnan(f)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

struct Half {
  uint16_t v;
  operator double() const
  {
    return HalfToFloat(v);
  }
  static Half From(double d)
  {
    return {DoubleToHalf(d)};
  }
};
struct BFloat {
  uint16_t v;
  operator double() const
  {
    return BFloatToFloat(v);
  }
  static BFloat From(double d)
  {
    return {FloatToBFloat(static_cast<float>(d))};
  }
};

template <class T>
inline T FromDouble(double d)
{
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
    return T::From(d);
  } else {
    return static_cast<T>(d);
  }
}

// ---- parallel loop: f(begin, end, part) over [0, n) in `parts` parts ----
template <class F>
inline void ParallelFor(int64_t n, int64_t parts, const F &f)
{
  parts = std::max<int64_t>(1, std::min(parts, n));
  if (parts == 1) {
    f(static_cast<int64_t>(0), n, static_cast<int64_t>(0));
    return;
  }
  std::exception_ptr error;
  std::mutex lock;
  auto run = [&](int64_t i) {
    try {
      f(n * i / parts, n * (i + 1) / parts, i);
    } catch (...) {
      std::lock_guard<std::mutex> guard(lock);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  int64_t started = 1;
  threads.reserve(parts);
  for (; started < parts; ++started) {
    try {
      threads.emplace_back(run, started);
    } catch (const std::exception &) {
      break;  // no more threads: the rest runs here
    }
  }
  run(0);
  for (int64_t i = started; i < parts; ++i) run(i);
  for (auto &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
