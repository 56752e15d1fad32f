// SPDX-License-Identifier: Apache-2.0
// Shared helpers of the kernels in this folder. Does not depend on BUG.
#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace q1
{
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

#define REQUIRE(cond, Kind, msg)  \
  do {                            \
    if (!(cond)) {                \
      TVM_FFI_THROW(Kind) << msg; \
    }                             \
  } while (0)

constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1};

// The tensor of an optional that has one, which must live on.
inline TensorView view(const Optional<Tensor> &t)
{
  return TensorView(t.value().GetDLTensorPtr());
}

inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline void check_cpu(const TensorView &t, const char *name)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError, name << ": must be on the CPU");
}

inline void check_rank(const TensorView &t, int rank, const char *name)
{
  REQUIRE(t.ndim() == rank, ValueError,
          name << ": expected " << rank << " dimensions, got " << t.ndim());
}

inline void check_dtype(const TensorView &t, DLDataType want, const char *name)
{
  REQUIRE(same(t.dtype(), want), TypeError, name << ": wrong data type");
}

inline void check_size(const TensorView &t, int dim, int64_t want, const char *name)
{
  REQUIRE(t.shape()[dim] == want, ValueError,
          name << ": dimension " << dim << " is " << t.shape()[dim] << ", expected " << want);
}

inline const int64_t *raw_strides(const TensorView &t)
{
  struct Peek {
    DLTensor t;
  };
  static_assert(sizeof(TensorView) == sizeof(DLTensor), "TensorView wraps a DLTensor");
  return reinterpret_cast<const DLTensor *>(&t)->strides;
}

// Strides in elements, compact ones where the tensor has none.
inline std::vector<int64_t> strides_of(const TensorView &t)
{
  std::vector<int64_t> s(t.ndim());
  const int64_t *raw = raw_strides(t);
  int64_t run = 1;
  for (int i = t.ndim() - 1; i >= 0; --i) {
    s[i] = raw ? raw[i] : run;
    run *= t.shape()[i];
  }
  return s;
}

// Elements of the dimensions from `from` on lie side by side.
inline bool compact_from(const TensorView &t, int from)
{
  if (t.numel() == 0 || raw_strides(t) == nullptr) return true;
  int64_t run = 1;
  for (int i = t.ndim() - 1; i >= from; --i) {
    if (t.shape()[i] != 1 && raw_strides(t)[i] != run) return false;
    run *= t.shape()[i];
  }
  return true;
}

inline void check_contiguous(const TensorView &t, const char *name)
{
  REQUIRE(compact_from(t, 0), ValueError, name << ": must be contiguous");
}

inline char *base(const TensorView &t)
{
  return static_cast<char *>(t.data_ptr()) + t.byte_offset();
}

inline void check_aligned(const TensorView &t, const char *name)
{
  int64_t size = (t.dtype().bits + 7) / 8;
  REQUIRE(t.numel() == 0 || reinterpret_cast<uintptr_t>(base(t)) % size == 0, ValueError,
          name << ": data is not aligned to its elements");
}

template <class T>
inline T *ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(base(t));
}

inline float half_to_float(uint16_t h)
{
  uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16, exp = (h >> 10) & 31, man = h & 0x3ff,
           bits;
  if (exp == 31) {
    bits = sign | 0x7f800000u | (man << 13);
  } else if (exp != 0) {
    bits = sign | ((exp + 112) << 23) | (man << 13);
  } else {
    float f = std::ldexp(static_cast<float>(man), -24);
    return sign ? -f : f;
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t float_to_half(float f)
{
  uint32_t x;
  std::memcpy(&x, &f, 4);
  uint16_t sign = static_cast<uint16_t>((x >> 16) & 0x8000u);
  uint32_t a = x & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7e00;
  if (a >= 0x477ff000u) return sign | 0x7c00;
  if (a < 0x38800000u) {
    float m = std::fabs(f) * 16777216.0f;  // in units of the least subnormal
    return sign | static_cast<uint16_t>(std::nearbyint(m));
  }
  uint32_t r = a + 0xfffu + ((a >> 13) & 1);
  return sign | static_cast<uint16_t>((r - 0x38000000u) >> 13);
}

inline float bf16_to_float(uint16_t h)
{
  uint32_t bits = static_cast<uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint16_t float_to_bf16(float f)
{
  uint32_t x;
  std::memcpy(&x, &f, 4);
  if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((x >> 16) | 0x40);
  return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1)) >> 16);
}

// Element `i` of a buffer of floats of any of the four types.
inline double load(const char *p, int64_t i, DLDataType t)
{
  if (same(t, kF64)) return reinterpret_cast<const double *>(p)[i];
  if (same(t, kF32)) return reinterpret_cast<const float *>(p)[i];
  uint16_t h = reinterpret_cast<const uint16_t *>(p)[i];
  return same(t, kF16) ? half_to_float(h) : bf16_to_float(h);
}

inline void store(char *p, int64_t i, DLDataType t, double v)
{
  if (same(t, kF64)) {
    reinterpret_cast<double *>(p)[i] = v;
  } else if (same(t, kF32)) {
    reinterpret_cast<float *>(p)[i] = static_cast<float>(v);
  } else {
    float f = static_cast<float>(v);
    reinterpret_cast<uint16_t *>(p)[i] = same(t, kF16) ? float_to_half(f) : float_to_bf16(f);
  }
}

inline Tensor alloc(const std::vector<int64_t> &shape, DLDataType dtype, DLDevice device)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc,
                              ffi::ShapeView(shape.data(), static_cast<size_t>(shape.size())),
                              dtype, device);
}

// Steps for one thread, of `work` operations each.
inline int64_t grain(double work)
{
  return static_cast<int64_t>(std::max(1.0, 20000 / std::max(1.0, work)));
}

// body(i) for i in [0, n), on up to four threads if there are at least `grain` steps for each.
template <class F>
inline void parallel_for(int64_t n, int64_t grain, const F &body)
{
  int64_t workers = std::min<int64_t>(4, n / std::max<int64_t>(grain, 1));
  if (workers <= 1) {
    for (int64_t i = 0; i < n; ++i) body(i);
    return;
  }
  std::exception_ptr error;
  std::mutex guard;
  auto range = [&](int64_t w) {
    try {
      for (int64_t i = n * w / workers; i < n * (w + 1) / workers; ++i) body(i);
    } catch (...) {
      std::lock_guard<std::mutex> lock(guard);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  int64_t started = 1;
  try {
    for (; started < workers; ++started) threads.emplace_back(range, started);
  } catch (const std::system_error &) {  // no more threads: the rest is done here
  }
  range(0);
  for (int64_t w = started; w < workers; ++w) range(w);
  for (auto &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
}  // namespace q1
