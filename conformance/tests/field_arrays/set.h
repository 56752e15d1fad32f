// SPDX-License-Identifier: Apache-2.0
// What all kernels of this set share: checks, data types, allocation, conversions, threads.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
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

namespace ks
{

constexpr DLDataType kF64{kDLFloat, 64, 1}, kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1},
    kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI8{kDLInt, 8, 1}, kI16{kDLInt, 16, 1}, kI32{kDLInt, 32, 1},
    kI64{kDLInt, 64, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1}, kBool{kDLBool, 8, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool In(DLDataType t, std::initializer_list<DLDataType> list)
{
  for (DLDataType u : list)
    if (Same(t, u)) return true;
  return false;
}
inline int64_t ItemSize(DLDataType t)
{
  return (int64_t(t.bits) * t.lanes + 7) / 8;
}

#define KS_CHECK(cond, Kind) \
  if (!(cond)) TVM_FFI_THROW(Kind)

inline void CheckDType(const TensorView &t, const char *name,
                       std::initializer_list<DLDataType> list)
{
  KS_CHECK(In(t.dtype(), list), TypeError) << name << ": data type is not supported";
}
// Device, extents, alignment: what must hold before any element is touched.
inline void CheckMemory(const TensorView &t, const char *name)
{
  KS_CHECK(t.device().device_type == kDLCPU, ValueError) << name << ": must be on the CPU";
  int64_t numel = 1;
  for (int i = 0; i < t.ndim(); ++i) {
    KS_CHECK(t.shape()[i] >= 0, ValueError) << name << ": negative extent";
    if (__builtin_mul_overflow(numel, t.shape()[i], &numel))
      TVM_FFI_THROW(ValueError) << name << ": too large";
  }
  if (numel == 0) return;
  uintptr_t address = reinterpret_cast<uintptr_t>(t.data_ptr()) + t.byte_offset();
  KS_CHECK(t.data_ptr() != nullptr, ValueError) << name << ": no data";
  KS_CHECK(address % std::min<int64_t>(ItemSize(t.dtype()), 8) == 0, ValueError)
      << name << ": misaligned";
}
inline void CheckRank(const TensorView &t, const char *name, int rank)
{
  KS_CHECK(t.ndim() == rank, ValueError)
      << name << ": must have " << rank << " dimensions, has " << t.ndim();
}
inline void CheckContiguous(const TensorView &t, const char *name)
{
  KS_CHECK(t.IsContiguous(), ValueError) << name << ": must be contiguous";
}
inline void CheckExtent(const TensorView &t, const char *name, int dim, int64_t extent)
{
  KS_CHECK(t.shape()[dim] == extent, ValueError)
      << name << ": extent " << dim << " must be " << extent << ", is " << t.shape()[dim];
}
inline bool SameShape(const TensorView &a, const TensorView &b)
{
  if (a.ndim() != b.ndim()) return false;
  for (int i = 0; i < a.ndim(); ++i)
    if (a.shape()[i] != b.shape()[i]) return false;
  return true;
}
inline std::vector<int64_t> Strides(const TensorView &t)
{
  std::vector<int64_t> s(t.ndim());
  if (t.ndim() > 0 && t.numel() != 0 && !t.IsContiguous()) {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.strides()[i];
    return s;
  }
  int64_t step = 1;
  for (int i = t.ndim(); i-- > 0;) {
    s[i] = step;
    step *= std::max<int64_t>(t.shape()[i], 1);
  }
  return s;
}

template <typename T>
inline T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline Tensor Alloc(const std::vector<int64_t> &shape, DLDataType dtype, DLDevice device)
{
  int64_t bytes = ItemSize(dtype);
  for (int64_t e : shape) {
    KS_CHECK(e >= 0, ValueError) << "result: negative extent";
    if (e > 0 && __builtin_mul_overflow(bytes, e, &bytes))
      TVM_FFI_THROW(ValueError) << "result: too large";
  }
  KS_CHECK(bytes <= (int64_t(1) << 40), ValueError) << "result: too large";
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), dtype,
                              device);
}

inline float BF16ToFloat(uint16_t h)
{
  uint32_t u = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
// From double in one rounding (to nearest, ties to even), for any format of 16 bits.
inline uint16_t RoundTo16(double v, int mantissa, int min_exp, int max_exp)
{
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  int exp_bits = 15 - mantissa;
  uint16_t inf = uint16_t(((1 << exp_bits) - 1) << mantissa);
  if (std::isnan(v)) return uint16_t(sign | inf | (1 << (mantissa - 1)));
  double a = std::fabs(v);
  if (std::isinf(a)) return sign | inf;
  if (a == 0) return sign;
  int e;
  std::frexp(a, &e);
  e -= 1;
  int q = std::max(e, min_exp) - mantissa;
  double units = std::nearbyint(std::ldexp(a, -q));
  int64_t m = int64_t(units);
  int64_t bits =
      e < min_exp ? m : ((int64_t(e - min_exp + 1) << mantissa) + (m - (int64_t(1) << mantissa)));
  (void)max_exp;
  if (bits >= inf) bits = inf;
  return uint16_t(sign | bits);
}
inline uint16_t ToBF16(double v)
{
  return RoundTo16(v, 7, -126, 127);
}
inline uint16_t ToHalf(double v)
{
  return RoundTo16(v, 10, -14, 15);
}
inline float HalfToFloat(uint16_t h)
{
  int e = (h >> 10) & 31, m = h & 1023;
  float v = e == 31  ? (m ? std::numeric_limits<float>::quiet_NaN()
                          : std::numeric_limits<float>::infinity())
            : e == 0 ? std::ldexp(float(m), -24)
                     : std::ldexp(float(m + 1024), e - 25);
  return (h & 0x8000) ? -v : v;
}

// Loads and stores of one element as double.
inline double Load(const void *p, DLDataType t, int64_t i)
{
  if (Same(t, kF64)) return static_cast<const double *>(p)[i];
  if (Same(t, kF32)) return static_cast<const float *>(p)[i];
  if (Same(t, kF16)) return HalfToFloat(static_cast<const uint16_t *>(p)[i]);
  if (Same(t, kBF16)) return BF16ToFloat(static_cast<const uint16_t *>(p)[i]);
  if (Same(t, kI32)) return static_cast<const int32_t *>(p)[i];
  return static_cast<const uint8_t *>(p)[i];
}
inline void Store(void *p, DLDataType t, int64_t i, double v)
{
  if (Same(t, kF64))
    static_cast<double *>(p)[i] = v;
  else if (Same(t, kF32))
    static_cast<float *>(p)[i] = float(v);
  else if (Same(t, kF16))
    static_cast<uint16_t *>(p)[i] = ToHalf(v);
  else if (Same(t, kBF16))
    static_cast<uint16_t *>(p)[i] = ToBF16(v);
  else if (Same(t, kI32))
    static_cast<int32_t *>(p)[i] = int32_t(v);
  else
    static_cast<uint8_t *>(p)[i] = uint8_t(v);
}
inline int64_t LoadIndex(const void *p, DLDataType t, int64_t i)
{
  return Same(t, kI64) ? static_cast<const int64_t *>(p)[i]
                       : int64_t(static_cast<const int32_t *>(p)[i]);
}

// f(begin, end) over parts of [0, n), in threads when there is enough to do.
template <typename F>
inline void ParallelFor(int64_t n, int64_t grain, const F &f)
{
  int64_t threads = std::min<int64_t>(4, n / std::max<int64_t>(grain, 1));
  if (threads <= 1) {
    if (n > 0) f(int64_t(0), n);
    return;
  }
  std::vector<std::thread> pool;
  std::exception_ptr error;
  std::mutex mutex;
  for (int64_t t = 0; t < threads; ++t) {
    int64_t begin = n * t / threads, end = n * (t + 1) / threads;
    pool.emplace_back([&, begin, end] {
      try {
        f(begin, end);
      } catch (...) {
        std::lock_guard<std::mutex> lock(mutex);
        error = std::current_exception();
      }
    });
  }
  for (std::thread &t : pool) t.join();
  if (error) std::rethrow_exception(error);
}

// A number that was written as one: no bool, no text.
inline double Number(const Any &v, const char *name)
{
  KS_CHECK(v.type_index() == ffi::TypeIndex::kTVMFFIFloat ||
               v.type_index() == ffi::TypeIndex::kTVMFFIInt,
           TypeError)
      << name << ": a number is expected";
  return v.cast<double>();
}

}  // namespace ks
