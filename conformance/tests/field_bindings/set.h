// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder: argument checks, dtypes, 16-bit floats, allocation, thread loops.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
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
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

constexpr DLDataType kF16{kDLFloat, 16, 1}, kBF16{kDLBfloat, 16, 1}, kF32{kDLFloat, 32, 1},
    kF64{kDLFloat, 64, 1}, kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1};

inline bool same_type(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

#define REQUIRE(cond, kind, text)             \
  do {                                        \
    if (!(cond)) TVM_FFI_THROW(kind) << text; \
  } while (0)

// A checked view on a CPU tensor; works for TensorView and Tensor.
struct View {
  char *p = nullptr;
  const int64_t *shape = nullptr;
  const int64_t *strides = nullptr;
  int ndim = 0;
  DLDataType dtype{};
  int64_t numel = 0;

  template <class T>
  T *as() const
  {
    return reinterpret_cast<T *>(p);
  }
  int64_t stride0() const
  {
    if (strides) return strides[0];
    int64_t s = 1;
    for (int i = 1; i < ndim; ++i) s *= shape[i];
    return s;
  }
};

enum Layout { kContiguous, kRows };

inline bool type_in(DLDataType t, std::initializer_list<DLDataType> allowed)
{
  for (auto a : allowed)
    if (same_type(a, t)) return true;
  return false;
}

inline View check_dl(const DLTensor &t, const char *name, std::initializer_list<DLDataType> types,
                     int ndim, Layout layout = kContiguous)
{
  REQUIRE(t.device.device_type == kDLCPU && t.device.device_id == 0, ValueError,
          name << " must be on the CPU");
  REQUIRE(type_in(t.dtype, types), TypeError, name << " has an unsupported data type");
  REQUIRE(ndim < 0 || t.ndim == ndim, ValueError,
          name << " must have " << ndim << " dimensions, has " << t.ndim);
  View v;
  v.shape = t.shape;
  v.strides = t.strides;
  v.ndim = t.ndim;
  v.dtype = t.dtype;
  v.numel = 1;
  for (int i = 0; i < t.ndim; ++i) {
    REQUIRE(t.shape[i] >= 0, ValueError, name << " has a negative extent");
    REQUIRE(!__builtin_mul_overflow(v.numel, t.shape[i], &v.numel), ValueError,
            name << " is too large");
  }
  if (t.strides != nullptr && v.numel > 0) {
    int64_t want = 1;
    int first = layout == kRows ? 1 : 0;
    for (int i = t.ndim - 1; i >= first; --i) {
      REQUIRE(t.shape[i] == 1 || t.strides[i] == want, ValueError,
              name << " has an unsupported layout");
      want *= t.shape[i];
    }
  }
  v.p = static_cast<char *>(t.data) + t.byte_offset;
  if (v.numel > 0) {
    REQUIRE(t.data != nullptr, ValueError, name << " has no data");
    REQUIRE(reinterpret_cast<uintptr_t>(v.p) % (t.dtype.bits / 8) == 0, ValueError,
            name << " is not aligned");
  }
  return v;
}
inline View check(const TensorView &t, const char *name, std::initializer_list<DLDataType> types,
                  int ndim, Layout layout = kContiguous)
{
  static_assert(sizeof(TensorView) == sizeof(DLTensor), "a TensorView is a DLTensor");
  DLTensor d;
  std::memcpy(&d, static_cast<const void *>(&t), sizeof(d));
  return check_dl(d, name, types, ndim, layout);
}
inline View check(const Tensor &t, const char *name, std::initializer_list<DLDataType> types,
                  int ndim, Layout layout = kContiguous)
{
  REQUIRE(t.defined(), TypeError, name << " must not be None");
  return check_dl(*t.GetDLTensorPtr(), name, types, ndim, layout);
}
inline bool same_shape(const View &a, const View &b)
{
  return a.ndim == b.ndim && std::equal(a.shape, a.shape + a.ndim, b.shape);
}

inline Tensor alloc(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  std::vector<int64_t> s(shape);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(s.data(), s.size()), dtype,
                              DLDevice{kDLCPU, 0});
}
inline Tensor alloc_like(const View &v)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(v.shape, v.ndim), v.dtype,
                              DLDevice{kDLCPU, 0});
}
template <class T>
inline T *data(const Tensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// 16-bit floats
struct Half {
  uint16_t u;
};
struct BF16 {
  uint16_t u;
};

inline float half_to_float(uint16_t h)
{
  uint32_t sign = uint32_t(h & 0x8000) << 16, exp = (h >> 10) & 31, man = h & 0x3ff, f;
  if (exp == 0) {
    float v = std::ldexp(float(man), -24);
    return sign ? -v : v;
  }
  f = exp == 31 ? sign | 0x7f800000 | (man << 13) : sign | ((exp + 112) << 23) | (man << 13);
  float out;
  std::memcpy(&out, &f, 4);
  return out;
}
inline uint16_t float_to_half(float v)
{
  uint32_t f;
  std::memcpy(&f, &v, 4);
  uint16_t sign = (f >> 16) & 0x8000;
  uint32_t a = f & 0x7fffffff;
  if (a > 0x7f800000) return sign | 0x7e00;
  if (a >= 0x477ff000) return sign | 0x7c00;
  if (a < 0x38800000) {  // subnormal halves: exact scaling, then round to even
    return sign | uint16_t(std::nearbyint(std::ldexp(std::fabs(v), 24)));
  }
  uint32_t r = a - 0x38000000, low = r & 0x1fff;
  r >>= 13;
  if (low > 0x1000 || (low == 0x1000 && (r & 1))) ++r;
  return sign | uint16_t(r);
}
inline float bf16_to_float(uint16_t h)
{
  uint32_t f = uint32_t(h) << 16;
  float out;
  std::memcpy(&out, &f, 4);
  return out;
}
inline uint16_t float_to_bf16(float v)
{
  uint32_t f;
  std::memcpy(&f, &v, 4);
  if ((f & 0x7fffffff) > 0x7f800000) return uint16_t((f >> 16) | 0x40);
  return uint16_t((f + 0x7fff + ((f >> 16) & 1)) >> 16);
}

inline double load(float v)
{
  return v;
}
inline double load(double v)
{
  return v;
}
inline double load(Half v)
{
  return half_to_float(v.u);
}
inline double load(BF16 v)
{
  return bf16_to_float(v.u);
}
inline void store(float &d, double v)
{
  d = float(v);
}
inline void store(double &d, double v)
{
  d = v;
}
inline void store(Half &d, double v)
{
  d.u = float_to_half(float(v));
}
inline void store(BF16 &d, double v)
{
  d.u = float_to_bf16(float(v));
}

// fn(begin, end) over blocks of [0, n) in up to `threads` threads; fn must not throw.
template <class F>
inline void parallel_blocks(int64_t n, int threads, F fn)
{
  if (threads <= 1 || n < 2) {
    if (n > 0) fn(int64_t(0), n);
    return;
  }
  int64_t parts = std::min<int64_t>(threads, n);
  std::vector<std::thread> pool;
  int64_t started = 0;
  try {
    for (; started < parts - 1; ++started) {
      int64_t b = n * started / parts, e = n * (started + 1) / parts;
      pool.emplace_back([=, &fn] { fn(b, e); });
    }
  } catch (...) {  // no more threads: the rest is done here
  }
  fn(n * started / parts, n);
  for (auto &t : pool) t.join();
}
