// SPDX-License-Identifier: Apache-2.0
// Shared helpers of this kernel set: checks, dtypes, allocation, 16-bit floats, threads.
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
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace set
{
using namespace tvm::ffi;

constexpr DLDataType kF64{kDLFloat, 64, 1}, kF32{kDLFloat, 32, 1}, kF16{kDLFloat, 16, 1},
    kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI64{kDLInt, 64, 1}, kI32{kDLInt, 32, 1}, kU8{kDLUInt, 8, 1},
    kU16{kDLUInt, 16, 1};

inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool same(DLDevice a, DLDevice b)
{
  return a.device_type == b.device_type && a.device_id == b.device_id;
}

#define FAIL(Kind, text) TVM_FFI_THROW(Kind) << text
#define REQUIRE(cond, Kind, text)             \
  do {                                        \
    if (!(cond)) TVM_FFI_THROW(Kind) << text; \
  } while (0)

template <class T>
inline T *ptr(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline int64_t count(const TensorView &t)
{
  for (int i = 0; i < t.ndim(); ++i)
    if (t.size(i) == 0) return 0;
  int64_t n = 1;
  for (int i = 0; i < t.ndim(); ++i) n *= t.size(i);
  return n;
}

// device, rank (if >= 0), element alignment
inline void need_basic(const TensorView &t, const char *name, int rank)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError, name << " must be on the CPU");
  REQUIRE(rank < 0 || t.ndim() == rank, ValueError, name << " must have " << rank << " dimensions");
  int64_t n = 1;
  bool empty = false;
  for (int i = 0; i < t.ndim(); ++i) {
    REQUIRE(t.size(i) >= 0, ValueError, name << " has a negative extent");
    empty = empty || t.size(i) == 0;
  }
  for (int i = 0; i < t.ndim() && !empty; ++i)
    REQUIRE(!__builtin_mul_overflow(n, t.size(i), &n), ValueError, name << " is too large");
  if (empty) return;
  size_t bytes = (t.dtype().bits * t.dtype().lanes + 7) / 8;
  if (bytes > 1)
    REQUIRE(reinterpret_cast<uintptr_t>(ptr<char>(t)) % bytes == 0, ValueError,
            name << " is not aligned to its elements");
}
inline void need_dtype(const TensorView &t, const char *name, DLDataType d)
{
  REQUIRE(same(t.dtype(), d), TypeError, name << " has the wrong data type");
}
inline void need_contiguous(const TensorView &t, const char *name)
{
  REQUIRE(t.IsContiguous(), ValueError, name << " must be contiguous");
}
inline void need(const TensorView &t, const char *name, DLDataType d, int rank)
{
  need_dtype(t, name, d);
  need_basic(t, name, rank);
  need_contiguous(t, name);
}
template <class R>
inline void need_some(const R &r, const char *name)
{
  REQUIRE(r.defined(), TypeError, name << " must not be None");
}

// strides in elements, also of tensors that state none
inline std::vector<int64_t> strides_of(const TensorView &t)
{
  std::vector<int64_t> s(t.ndim());
  if (t.IsContiguous()) {
    int64_t k = 1;
    for (int i = t.ndim() - 1; i >= 0; --i) {
      s[i] = k;
      k *= std::max<int64_t>(t.size(i), 1);
    }
  } else {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.stride(i);
  }
  return s;
}

inline Tensor alloc(const std::vector<int64_t> &shape, DLDataType d,
                    DLDevice dev = DLDevice{kDLCPU, 0})
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), d, dev);
}

inline float from_bf16(uint16_t v)
{
  uint32_t u = uint32_t(v) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t to_bf16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if ((u & 0x7fffffffu) > 0x7f800000u) return uint16_t((u >> 16) | 0x40);
  return uint16_t((u + 0x7fffu + ((u >> 16) & 1)) >> 16);
}
inline float from_f16(uint16_t h)
{
  uint32_t sign = uint32_t(h & 0x8000) << 16, exp = (h >> 10) & 31, man = h & 0x3ff, u;
  if (exp == 31) {
    u = sign | 0x7f800000u | (man << 13);
  } else if (exp == 0) {
    float f = std::ldexp(float(man), -24);
    return sign ? -f : f;
  } else {
    u = sign | ((exp + 112) << 23) | (man << 13);
  }
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t to_f16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  uint16_t sign = uint16_t((u >> 16) & 0x8000);
  uint32_t a = u & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7e00;
  if (a >= 0x477ff000u) return sign | 0x7c00;
  if (a < 0x38800000u) {
    float g;
    std::memcpy(&g, &a, 4);
    return sign | uint16_t(std::nearbyint(std::ldexp(g, 24)));
  }
  uint32_t r = a + 0xfffu + ((a >> 13) & 1);
  return sign | uint16_t((r - 0x38000000u) >> 13);
}

// Tag types by which a kernel is made for each element type
struct F64 {
  using raw = double;
  static double load(raw v)
  {
    return v;
  }
  static raw store(double v)
  {
    return v;
  }
};
struct F32 {
  using raw = float;
  static double load(raw v)
  {
    return v;
  }
  static raw store(double v)
  {
    return float(v);
  }
};
struct F16 {
  using raw = uint16_t;
  static double load(raw v)
  {
    return from_f16(v);
  }
  static raw store(double v)
  {
    return to_f16(float(v));
  }
};
struct BF16 {
  using raw = uint16_t;
  static double load(raw v)
  {
    return from_bf16(v);
  }
  static raw store(double v)
  {
    return to_bf16(float(v));
  }
};

// f(begin, end) over [0, n), by several threads if there are at least `grain` for each
template <class F>
inline void parallel(int64_t n, int64_t grain, F f)
{
  int64_t threads = std::min<int64_t>(4, n / std::max<int64_t>(grain, 1));
  if (threads < 2) {
    if (n > 0) f(int64_t(0), n);
    return;
  }
  std::vector<std::thread> pool;
  std::vector<std::exception_ptr> errors(threads);
  for (int64_t i = 0; i < threads; ++i) {
    auto work = [&, i] {
      try {
        f(n * i / threads, n * (i + 1) / threads);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    };
    bool started = false;
    if (i + 1 < threads) {
      try {
        pool.emplace_back(work);
        started = true;
      } catch (const std::system_error &) {
      }
    }
    if (!started) work();
  }
  for (auto &t : pool) t.join();
  for (auto &e : errors)
    if (e) std::rethrow_exception(e);
}
}  // namespace set
