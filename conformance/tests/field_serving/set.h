// SPDX-License-Identifier: Apache-2.0
// What all kernels of this set share. Does not depend on BUG.
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
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
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

namespace set
{

// ---- data types ----
constexpr DLDataType kF64{kDLFloat, 64, 1}, kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1},
    kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI8{kDLInt, 8, 1}, kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1},
    kU8{kDLUInt, 8, 1};
constexpr DLDataType kBool{kDLBool, 8, 1}, kE4M3{kDLFloat8_e4m3fn, 8, 1};
constexpr DLDevice kCpu{kDLCPU, 0};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};

inline float ToFloat(float v)
{
  return v;
}
inline float ToFloat(Half h)
{
  uint32_t sign = uint32_t(h.bits & 0x8000) << 16, exp = (h.bits >> 10) & 31, man = h.bits & 0x3ff,
           out;
  if (exp == 31) {
    out = sign | 0x7f800000u | (man << 13);
  } else if (exp != 0) {
    out = sign | ((exp + 112) << 23) | (man << 13);
  } else {
    float f = std::ldexp(float(man), -24);
    std::memcpy(&out, &f, 4);
    out |= sign;
  }
  float f;
  std::memcpy(&f, &out, 4);
  return f;
}
inline float ToFloat(BFloat b)
{
  uint32_t u = uint32_t(b.bits) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}

// Round a double to a float format with `man` bits of mantissa and the least exponent `emin`, half to even.
inline double RoundTo(double v, int man, int emin)
{
  if (v == 0 || !std::isfinite(v)) return v;
  int e;
  std::frexp(v, &e);
  int step = std::max(e - 1, emin) - man;
  return std::ldexp(std::nearbyint(std::ldexp(v, -step)), step);
}
template <typename T>
T From(double v);
template <>
inline float From<float>(double v)
{
  return float(v);
}
template <>
inline Half From<Half>(double v)
{
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return Half{uint16_t(sign | 0x7e00)};
  double a = RoundTo(std::fabs(v), 10, -14);
  if (a >= 65536.0) return Half{uint16_t(sign | 0x7c00)};
  if (a < std::ldexp(1.0, -14)) return Half{uint16_t(sign | uint16_t(std::ldexp(a, 24)))};
  int e;
  double m = std::frexp(a, &e);
  return Half{uint16_t(sign | uint16_t((e + 14) << 10) | (uint16_t(std::ldexp(m, 11)) & 0x3ff))};
}
template <>
inline BFloat From<BFloat>(double v)
{
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return BFloat{uint16_t(sign | 0x7fc0)};
  double a = RoundTo(std::fabs(v), 7, -126);
  if (a >= std::ldexp(1.0, 128)) return BFloat{uint16_t(sign | 0x7f80)};
  float f = float(a);
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return BFloat{uint16_t(sign | (u >> 16))};
}
// Saturates at 448, as quantizers do.
inline uint8_t ToE4M3(double v)
{
  uint8_t sign = std::signbit(v) ? 0x80 : 0;
  if (std::isnan(v)) return 0x7f;
  double a = RoundTo(std::min(std::fabs(v), 448.0), 3, -6);
  if (a < std::ldexp(1.0, -6)) return uint8_t(sign | uint8_t(std::ldexp(a, 9)));
  int e;
  double m = std::frexp(a, &e);
  return uint8_t(sign | uint8_t((e + 6) << 3) | (uint8_t(std::ldexp(m, 4)) & 7));
}

// Calls f with a value of the element type.
template <typename F>
void DispatchFloat(DLDataType t, F &&f)
{
  if (Same(t, kF32))
    f(float{});
  else if (Same(t, kF16))
    f(Half{});
  else if (Same(t, kBF16))
    f(BFloat{});
  else
    TVM_FFI_THROW(TypeError) << "unsupported data type " << ffi::DLDataTypeToString(t);
}
template <typename F>
void DispatchIndex(DLDataType t, F &&f)
{
  if (Same(t, kI32))
    f(int32_t{});
  else if (Same(t, kI64))
    f(int64_t{});
  else
    TVM_FFI_THROW(TypeError) << "unsupported index type " << ffi::DLDataTypeToString(t);
}

// ---- tensors ----
template <typename T>
T *Ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}
inline int64_t Numel(const TensorView &t)
{
  for (int i = 0; i < t.ndim(); ++i)
    if (t.size(i) == 0) return 0;
  int64_t n = 1;
  for (int i = 0; i < t.ndim(); ++i) n *= t.size(i);
  return n;
}
enum class Layout { kContiguous, kRows };

// All that does not depend on other arguments: device, rank (-1: any), data type, layout, address.
inline void Check(const TensorView &t, const char *name, int ndim,
                  std::initializer_list<DLDataType> dtypes, Layout layout = Layout::kContiguous)
{
  TVM_FFI_CHECK(t.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
  TVM_FFI_CHECK(ndim < 0 || t.ndim() == ndim, ValueError)
      << name << " must have " << ndim << " dimensions, has " << t.ndim();
  bool known = false;
  for (DLDataType d : dtypes) known = known || Same(d, t.dtype());
  TVM_FFI_CHECK(known, TypeError) << name << " has the unsupported data type "
                                  << ffi::DLDataTypeToString(t.dtype());
  for (int i = 0; i < t.ndim(); ++i) {
    TVM_FFI_CHECK(t.size(i) >= 0, ValueError) << name << " has a negative extent";
  }
  if (layout == Layout::kContiguous) {
    TVM_FFI_CHECK(t.IsContiguous(), ValueError) << name << " must be contiguous";
  } else if (!t.IsContiguous()) {
    TVM_FFI_CHECK(t.size(-1) <= 1 || t.stride(-1) == 1, ValueError)
        << name << ": the last dimension must be contiguous";
  }
  if (Numel(t) != 0) {
    TVM_FFI_CHECK(t.data_ptr() != nullptr, ValueError) << name << " has no data";
    TVM_FFI_CHECK(reinterpret_cast<uintptr_t>(Ptr<char>(t)) % ((t.dtype().bits + 7) / 8) == 0,
                  ValueError)
        << name << " is not aligned to its elements";
  }
}
inline void CheckSize(const TensorView &t, const char *name, int dim, int64_t want)
{
  TVM_FFI_CHECK(t.size(dim) == want, ValueError)
      << name << ".shape[" << dim << "] must be " << want << ", is " << t.size(dim);
}
// Stride of a dimension in elements, of tensors without strides, too.
inline int64_t StrideOf(const TensorView &t, int dim)
{
  if (!t.IsContiguous()) return t.stride(dim);
  int64_t s = 1;
  for (int i = dim + 1; i < t.ndim(); ++i) s *= t.size(i);
  return s;
}
inline Tensor NewTensor(ShapeView shape, DLDataType dtype, DLDevice device = kCpu)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, device);
}

// ---- threads ----
// Calls f(begin, end) on up to 4 threads; the first error is thrown on after all have ended.
template <typename F>
void ParallelFor(int64_t n, int64_t grain, F &&f)
{
  int64_t parts = std::min<int64_t>(4, grain > 0 ? n / grain : 1);
  if (parts <= 1) {
    if (n > 0) f(int64_t(0), n);
    return;
  }
  std::vector<std::exception_ptr> errors(parts);
  std::vector<std::thread> threads;
  threads.reserve(parts);
  auto run = [&](int64_t p) {
    try {
      f(n * p / parts, n * (p + 1) / parts);
    } catch (...) {
      errors[p] = std::current_exception();
    }
  };
  int64_t started = 1;
  try {
    for (; started < parts; ++started) threads.emplace_back(run, started);
  } catch (const std::exception &) {
  }
  run(0);
  for (int64_t p = started; p < parts; ++p) run(p);
  for (auto &t : threads) t.join();
  for (auto &e : errors)
    if (e) std::rethrow_exception(e);
}

}  // namespace set
using namespace set;
