// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder.
#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;

#define REQUIRE(cond, Kind) \
  if (!(cond)) TVM_FFI_THROW(Kind)

constexpr DLDataType kF64{kDLFloat, 64, 1}, kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1},
    kBF16{kDLBfloat, 16, 1}, kI64{kDLInt, 64, 1}, kI32{kDLInt, 32, 1}, kI16{kDLInt, 16, 1},
    kI8{kDLInt, 8, 1}, kU8{kDLUInt, 8, 1}, kBool{kDLBool, 8, 1}, kE4M3{kDLFloat8_e4m3fn, 8, 1},
    kE5M2{kDLFloat8_e5m2, 8, 1};

inline bool Is(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool IsOneOf(DLDataType a, std::initializer_list<DLDataType> l)
{
  for (DLDataType b : l) {
    if (Is(a, b)) return true;
  }
  return false;
}

// The stride in elements; tensors may come without strides, and are contiguous then.
inline int64_t Stride(const TensorView &t, int i)
{
  int64_t s = 1;
  if (t.IsContiguous()) {
    for (int k = t.ndim() - 1; k > i; --k) s *= t.shape()[k];
    return s;
  }
  return t.strides()[i];
}

template <typename T>
inline T *Ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline void CheckCpu(const TensorView &t, const char *name)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
}
inline void CheckDType(const TensorView &t, std::initializer_list<DLDataType> l, const char *name)
{
  REQUIRE(IsOneOf(t.dtype(), l), TypeError) << name << " has an unsupported data type";
}
inline void CheckRank(const TensorView &t, int rank, const char *name)
{
  REQUIRE(t.ndim() == rank, ValueError)
      << name << " must have " << rank << " dimensions, not " << t.ndim();
}
// The number of elements; a size that is negative or more than 2^40 is refused.
inline int64_t Numel(const TensorView &t, const char *name)
{
  int64_t n = 1;
  bool zero = false;
  for (int i = 0; i < t.ndim(); ++i) {
    int64_t d = t.shape()[i];
    REQUIRE(d >= 0, ValueError) << name << " has a negative extent";
    if (d == 0) zero = true;
  }
  if (zero) return 0;
  for (int i = 0; i < t.ndim(); ++i) {
    REQUIRE(!__builtin_mul_overflow(n, t.shape()[i], &n) && n <= (int64_t(1) << 40), ValueError)
        << name << " is too large";
  }
  return n;
}
inline void CheckData(const TensorView &t, const char *name)
{
  int64_t n = Numel(t, name);
  if (n == 0) return;
  REQUIRE(t.data_ptr() != nullptr, ValueError) << name << " has no data";
  size_t align = (t.dtype().bits + 7) / 8;
  REQUIRE(reinterpret_cast<uintptr_t>(Ptr<char>(t)) % align == 0, ValueError)
      << name << " is not aligned";
}
inline void CheckContiguous(const TensorView &t, const char *name)
{
  REQUIRE(t.IsContiguous(), ValueError) << name << " must be contiguous";
}
// All of it for a contiguous tensor on the CPU.
inline void CheckTensor(const TensorView &t, std::initializer_list<DLDataType> l, int rank,
                        const char *name)
{
  CheckCpu(t, name);
  CheckDType(t, l, name);
  CheckRank(t, rank, name);
  CheckContiguous(t, name);
  CheckData(t, name);
}

inline Tensor Alloc(ffi::ShapeView shape, DLDataType dtype)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, DLDevice{kDLCPU, 0});
}
template <typename T>
inline T *Out(const Tensor &t)
{
  const DLTensor *d = t.GetDLTensorPtr();
  return reinterpret_cast<T *>(static_cast<char *>(d->data) + d->byte_offset);
}
template <typename T>
inline Tensor FromVector(const std::vector<T> &v, DLDataType dtype)
{
  Tensor t = Alloc({static_cast<int64_t>(v.size())}, dtype);
  if (!v.empty()) std::memcpy(Out<T>(t), v.data(), v.size() * sizeof(T));
  return t;
}

inline bool Overlap(const TensorView &a, int64_t abytes, const TensorView &b, int64_t bbytes)
{
  uintptr_t p = reinterpret_cast<uintptr_t>(Ptr<char>(a)),
            q = reinterpret_cast<uintptr_t>(Ptr<char>(b));
  return abytes > 0 && bbytes > 0 && p < q + bbytes && q < p + abytes;
}

// Rounds to nearest even into a float of 16 bits with EB bits of exponent and MB of mantissa.
template <int EB, int MB>
inline uint16_t RoundTo16(double d)
{
  uint64_t b;
  std::memcpy(&b, &d, 8);
  uint16_t sign = static_cast<uint16_t>((b >> 63) << 15);
  int exp = static_cast<int>((b >> 52) & 0x7ff);
  uint64_t man = b & ((uint64_t(1) << 52) - 1);
  constexpr uint32_t kMax = ((1u << EB) - 1) << MB;
  if (exp == 0x7ff) return static_cast<uint16_t>(sign | kMax | (man ? 1u << (MB - 1) : 0u));
  if (exp == 0) return sign;
  int te = exp - 1023 + ((1 << (EB - 1)) - 1);
  int shift = 52 - MB;
  uint64_t full = (uint64_t(1) << 52) | man;
  if (te <= 0) {
    shift += 1 - te;
    te = 0;
    if (shift > 62) return sign;
  }
  uint64_t q = full >> shift, rem = full & ((uint64_t(1) << shift) - 1),
           half = uint64_t(1) << (shift - 1);
  if (rem > half || (rem == half && (q & 1))) ++q;
  if (te >= (1 << EB)) return static_cast<uint16_t>(sign | kMax);
  uint64_t r = te > 0 ? (static_cast<uint64_t>(te - 1) << MB) + q : q;
  if (r > kMax) r = kMax;
  return static_cast<uint16_t>(sign | r);
}
inline uint16_t ToHalf(double d)
{
  return RoundTo16<5, 10>(d);
}
inline uint16_t ToBFloat(double d)
{
  return RoundTo16<8, 7>(d);
}
inline float FromBFloat(uint16_t h)
{
  uint32_t u = static_cast<uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline float FromHalf(uint16_t h)
{
  int e = (h >> 10) & 31, m = h & 1023;
  float f;
  if (e == 31) {
    f = m ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else if (e == 0) {
    f = std::ldexp(static_cast<float>(m), -24);
  } else {
    f = std::ldexp(static_cast<float>(1024 + m), e - 25);
  }
  return (h >> 15) ? -f : f;
}

// body(begin, end) over [0, n), on up to 4 threads from `grain` items each on.
template <typename F>
inline void ParallelFor(int64_t n, int64_t grain, F body)
{
  int64_t parts = std::min<int64_t>(4, n / std::max<int64_t>(1, grain));
  if (parts <= 1) {
    if (n > 0) body(int64_t(0), n);
    return;
  }
  std::vector<std::exception_ptr> errors(parts);
  std::vector<std::thread> threads;
  auto run = [&](int64_t p) {
    try {
      body(n * p / parts, n * (p + 1) / parts);
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
  for (auto &e : errors) {
    if (e) std::rethrow_exception(e);
  }
}
