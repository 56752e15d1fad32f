// SPDX-License-Identifier: Apache-2.0
// Shared helpers of the kernels in this folder. Must not depend on BUG.
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
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
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
using ffi::Variant;

#define REQUIRE(cond, Kind, msg)  \
  do {                            \
    if (!(cond)) {                \
      TVM_FFI_THROW(Kind) << msg; \
    }                             \
  } while (0)

// ---- data types
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1};
constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// ---- tensors
template <typename Tn>
inline void check_cpu(const Tn &t, const char *name)
{
  REQUIRE(t.device().device_type == kDLCPU, ValueError, name << " must be on the CPU");
}
template <typename Tn>
inline void check_rank(const Tn &t, int rank, const char *name)
{
  REQUIRE(t.ndim() == rank, ValueError,
          name << " must have " << rank << " dimensions, has " << t.ndim());
}
template <typename Tn>
inline void check_extent(const Tn &t, int axis, int64_t n, const char *name)
{
  REQUIRE(
      t.shape()[axis] == n, ValueError,
      name << " has extent " << t.shape()[axis] << " in dimension " << axis << ", expected " << n);
}
template <typename Tn>
inline int64_t numel(const Tn &t)
{
  int64_t n = 1;
  for (int i = 0; i < t.ndim(); ++i) n *= t.shape()[i];
  return n;
}
template <typename Tn>
inline void check_contiguous(const Tn &t, const char *name)
{
  REQUIRE(t.IsContiguous(), ValueError, name << " must be contiguous");
}
// The first element. Refuses data that is not aligned to its element type, and no data at all.
template <typename Tn>
inline char *base(const Tn &t, const char *name)
{
  char *p = static_cast<char *>(t.data_ptr());
  if (numel(t) == 0) return p;
  REQUIRE(p != nullptr, ValueError, name << " has no data");
  p += t.byte_offset();
  REQUIRE(reinterpret_cast<uintptr_t>(p) % ((t.dtype().bits + 7) / 8) == 0, ValueError,
          name << " is not aligned to its elements");
  return p;
}
template <typename T, typename Tn>
inline T *data(const Tn &t, const char *name)
{
  return reinterpret_cast<T *>(base(t, name));
}
// Strides in elements; those of a tensor without are compact.
inline std::vector<int64_t> strides_of(const TensorView &t)
{
  std::vector<int64_t> s(t.ndim());
  bool compact = t.IsContiguous();
  int64_t step = 1;
  for (int i = t.ndim() - 1; i >= 0; --i) {
    s[i] = compact ? step : t.stride(i);
    step *= t.shape()[i];
  }
  return s;
}
inline Tensor alloc(std::vector<int64_t> shape, DLDataType dtype,
                    DLDevice device = DLDevice{kDLCPU, 0})
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.data(), shape.size()), dtype,
                              device);
}

// ---- 16-bit floats
inline float bf16_to_float(uint16_t v)
{
  uint32_t u = static_cast<uint32_t>(v) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t float_to_bf16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if (f != f) return static_cast<uint16_t>((u >> 16) | 0x40);
  return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
inline float fp16_to_float(uint16_t v)
{
  _Float16 h;
  std::memcpy(&h, &v, 2);
  return static_cast<float>(h);
}
inline uint16_t float_to_fp16(float f)
{
  _Float16 h = static_cast<_Float16>(f);
  uint16_t v;
  std::memcpy(&v, &h, 2);
  return v;
}

// ---- threads: f(begin, end) over [0, n) in at most `threads` parts; f must not throw
template <typename F>
inline void parallel_for(int64_t n, int64_t threads, F f)
{
  threads = std::max<int64_t>(1, std::min(threads, n));
  int64_t step = (n + threads - 1) / threads;
  std::vector<std::thread> pool;
  pool.reserve(threads);
  for (int64_t b = step; b < n; b += step) {
    int64_t e = std::min(n, b + step);
    try {
      pool.emplace_back([&f, b, e] { f(b, e); });
    } catch (const std::system_error &) {
      f(b, e);
    }
  }
  f(0, std::min(n, step));
  for (auto &t : pool) t.join();
}

// ---- functions with any number of arguments: void impl(const AnyView* args, int32_t num_args, Any* result)
#define EXPORT_PACKED(Name, Impl)                                                             \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_##Name(void *, const TVMFFIAny *args,           \
                                                     int32_t num_args, TVMFFIAny *result)     \
  {                                                                                           \
    TVM_FFI_SAFE_CALL_BEGIN();                                                                \
    Impl(reinterpret_cast<const AnyView *>(args), num_args, reinterpret_cast<Any *>(result)); \
    TVM_FFI_SAFE_CALL_END();                                                                  \
  }
