// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder: checks, dtypes, conversions, allocation, loops.
#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
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
#include <string>
#include <system_error>
#include <thread>
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
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

#define REQUIRE(COND, KIND) \
  if (!(COND)) TVM_FFI_THROW(KIND)

inline constexpr DLDataType kU8{kDLUInt, 8, 1};
inline constexpr DLDataType kI32{kDLInt, 32, 1};
inline constexpr DLDataType kI64{kDLInt, 64, 1};
inline constexpr DLDataType kF16{kDLFloat, 16, 1};
inline constexpr DLDataType kBF16{kDLBfloat, 16, 1};
inline constexpr DLDataType kF32{kDLFloat, 32, 1};
inline constexpr DLDevice kCPU{kDLCPU, 0};

inline bool SameType(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// ---- half precision -------------------------------------------------------------------------
struct half_t {
  uint16_t bits;
};
struct bfloat_t {
  uint16_t bits;
};

inline float FromBits(uint32_t u)
{
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint32_t ToBits(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}

inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = uint32_t(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 0x3ff;
  if (e == 31) return FromBits(sign | 0x7f800000 | (m << 13));
  if (e == 0) {
    float f = std::ldexp(float(m), -24);
    return sign ? -f : f;
  }
  return FromBits(sign | ((e + 112) << 23) | (m << 13));
}

inline uint16_t FloatToHalf(float f)
{
  uint32_t u = ToBits(f), sign = (u >> 16) & 0x8000, a = u & 0x7fffffff;
  if (a > 0x7f800000) return uint16_t(sign | 0x7e00);
  if (a >= 0x477ff000) return uint16_t(sign | 0x7c00);
  if (a < 0x38800000) {  // below the least normal number
    float r = std::nearbyint(std::ldexp(FromBits(a), 24));
    return uint16_t(sign | uint32_t(r));
  }
  uint32_t r = a - 0x38000000 + 0xfff + ((a >> 13) & 1);
  return uint16_t(sign | (r >> 13));
}

inline float BfToFloat(uint16_t b)
{
  return FromBits(uint32_t(b) << 16);
}

inline uint16_t FloatToBf(float f)
{
  uint32_t u = ToBits(f);
  if ((u & 0x7fffffff) > 0x7f800000) return uint16_t((u >> 16) | 0x40);
  return uint16_t((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

inline double Load(const float &v)
{
  return v;
}
inline double Load(const half_t &v)
{
  return HalfToFloat(v.bits);
}
inline double Load(const bfloat_t &v)
{
  return BfToFloat(v.bits);
}
inline double Load(const uint8_t &v)
{
  return v;
}
inline void Store(float &to, double v)
{
  to = float(v);
}
inline void Store(half_t &to, double v)
{
  to.bits = FloatToHalf(float(v));
}
inline void Store(bfloat_t &to, double v)
{
  to.bits = FloatToBf(float(v));
}

// ---- tensors --------------------------------------------------------------------------------
template <typename T, typename A>
inline T *Data(const A &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// An element of an array: Array<Tensor> takes None, too.
inline TensorView View(const Tensor &t, const char *name)
{
  REQUIRE(t.defined(), TypeError) << name << ": expected a tensor, got None";
  return TensorView(t);
}

inline size_t ItemSize(const TensorView &t)
{
  return size_t(t.dtype().bits) * t.dtype().lanes / 8;
}

inline std::vector<int64_t> Strides(const TensorView &t)
{
  std::vector<int64_t> s(t.ndim());
  if (t.IsContiguous()) {
    int64_t step = 1;
    for (int i = t.ndim() - 1; i >= 0; --i) {
      s[i] = step;
      step *= std::max<int64_t>(t.size(i), 1);
    }
  } else {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.strides()[i];
  }
  return s;
}

inline void CheckType(const TensorView &t, std::initializer_list<DLDataType> types,
                      const char *name)
{
  for (DLDataType d : types)
    if (SameType(t.dtype(), d)) return;
  TVM_FFI_THROW(TypeError) << name << ": unsupported data type "
                           << ffi::DLDataTypeToString(t.dtype());
}
inline void CheckRank(const TensorView &t, int rank, const char *name)
{
  REQUIRE(t.ndim() == rank, ValueError)
      << name << ": expected " << rank << " dimensions, got " << t.ndim();
}
inline void CheckSize(const TensorView &t, int axis, int64_t size, const char *name)
{
  REQUIRE(t.size(axis) == size, ValueError) << name << ": expected extent " << size
                                            << " in dimension " << axis << ", got " << t.size(axis);
}
inline void CheckDevice(const TensorView &t, const char *name)
{
  REQUIRE(t.device().device_type == kDLCPU && t.device().device_id == 0, ValueError)
      << name << ": only tensors on the CPU are supported";
}
// Device and address of a tensor whose type and rank are right.
inline void CheckPlace(const TensorView &t, const char *name)
{
  CheckDevice(t, name);
  if (t.numel() == 0) return;
  REQUIRE(t.data_ptr() != nullptr, ValueError) << name << ": no data";
  REQUIRE(reinterpret_cast<uintptr_t>(Data<char>(t)) % std::max<size_t>(ItemSize(t), 1) == 0,
          ValueError)
      << name << ": elements are not aligned";
}
inline void CheckContiguous(const TensorView &t, const char *name)
{
  REQUIRE(t.IsContiguous(), ValueError) << name << ": has to be contiguous";
}
// Elements of a row side by side, the distance between rows is given back.
inline int64_t CheckRows(const TensorView &t, const char *name, bool written)
{
  std::vector<int64_t> s = Strides(t);
  REQUIRE(t.size(1) <= 1 || s[1] == 1 || t.numel() == 0, ValueError)
      << name << ": rows have to be contiguous";
  REQUIRE(!written || t.size(0) <= 1 || t.numel() == 0 || std::abs(s[0]) >= t.size(1), ValueError)
      << name << ": rows overlap";
  return s[0];
}

inline Tensor Alloc(std::initializer_list<int64_t> extents, DLDataType type)
{
  std::vector<int64_t> shape(extents);
  int64_t all = 8;
  for (int64_t e : shape)
    REQUIRE(e >= 0 && (e == 0 || !__builtin_mul_overflow(all, e, &all)), ValueError)
        << "result is too large";
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                              type, kCPU);
}

// Calls f with a null pointer of the element type.
template <typename F>
inline void DispatchFloat(DLDataType t, F &&f)
{
  if (SameType(t, kF32)) return f(static_cast<float *>(nullptr));
  if (SameType(t, kF16)) return f(static_cast<half_t *>(nullptr));
  if (SameType(t, kBF16)) return f(static_cast<bfloat_t *>(nullptr));
  TVM_FFI_THROW(TypeError) << "unsupported data type " << ffi::DLDataTypeToString(t);
}

// ---- loops ----------------------------------------------------------------------------------
// f(begin, end) for parts of [0, n), on several threads where there is work for them.
template <typename F>
inline void ParallelFor(int64_t n, int64_t cost, F &&f)
{
  if (n <= 0) return;
  int64_t parts = std::min<int64_t>({n, 4, 1 + n * std::max<int64_t>(cost, 1) / 16384});
  if (parts <= 1) return f(int64_t(0), n);
  std::vector<std::thread> pool;
  std::exception_ptr failed;
  std::mutex lock;
  auto work = [&](int64_t p) {
    try {
      f(n * p / parts, n * (p + 1) / parts);
    } catch (...) {
      std::lock_guard<std::mutex> guard(lock);
      failed = std::current_exception();
    }
  };
  pool.reserve(parts);
  for (int64_t p = 1; p < parts; ++p) {
    try {
      pool.emplace_back(work, p);
    } catch (const std::system_error &) {
      work(p);
    }
  }
  work(0);
  for (std::thread &t : pool) t.join();
  if (failed) std::rethrow_exception(failed);
}
