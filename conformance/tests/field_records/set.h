// SPDX-License-Identifier: Apache-2.0
// Common to all kernels of the set: checks, allocation, conversions, threads. Does not depend on BUG.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
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
#include <vector>

namespace ffi = tvm::ffi;

constexpr DLDataType kF16{kDLFloat, 16, 1}, kBF16{kDLBfloat, 16, 1}, kF32{kDLFloat, 32, 1},
    kF64{kDLFloat, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1}, kU8{kDLUInt, 8, 1},
    kBool{kDLBool, 8, 1};

inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool one_of(DLDataType a, std::initializer_list<DLDataType> list)
{
  for (DLDataType b : list)
    if (same(a, b)) return true;
  return false;
}

inline void check_cpu(const ffi::TensorView &t, const char *name)
{
  if (t.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
}
inline void check_dtype(const ffi::TensorView &t, const char *name,
                        std::initializer_list<DLDataType> list)
{
  if (!one_of(t.dtype(), list))
    TVM_FFI_THROW(TypeError) << name << " has a data type that is not supported";
}
inline void check_same(const ffi::TensorView &t, const char *name, DLDataType want)
{
  if (!same(t.dtype(), want)) TVM_FFI_THROW(TypeError) << name << " has the wrong data type";
}
inline void check_rank(const ffi::TensorView &t, const char *name, int rank)
{
  if (t.ndim() != rank) TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions";
}
inline void check_size(const ffi::TensorView &t, const char *name, int dim, int64_t want)
{
  if (t.shape()[dim] != want)
    TVM_FFI_THROW(ValueError) << name << ": dimension " << dim << " must be " << want << ", is "
                              << t.shape()[dim];
}
inline void check_dense(const ffi::TensorView &t, const char *name)
{
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}
inline char *raw(const ffi::TensorView &t)
{
  return static_cast<char *>(t.data_ptr()) + t.byte_offset();
}
template <class T>
inline T *data(const ffi::TensorView &t)
{
  return reinterpret_cast<T *>(raw(t));
}
inline void check_aligned(const ffi::TensorView &t, const char *name)
{
  size_t bytes = t.dtype().bits / 8;
  if (bytes > 1 && t.numel() != 0 && reinterpret_cast<uintptr_t>(raw(t)) % bytes != 0)
    TVM_FFI_THROW(ValueError) << name << " is not aligned to its elements";
}
// Strides in elements, also where the caller left them out.
inline std::vector<int64_t> strides_of(const ffi::TensorView &t)
{
  std::vector<int64_t> s(t.ndim(), 1);
  if (t.IsContiguous()) {
    for (int i = t.ndim() - 2; i >= 0; --i) s[i] = s[i + 1] * t.shape()[i + 1];
  } else {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.strides()[i];
  }
  return s;
}
inline ffi::TensorView view_of(const ffi::Tensor &t, const char *name)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << " must not be None";
  return ffi::TensorView(t);
}
inline bool overlap(const ffi::TensorView &a, const ffi::TensorView &b)
{
  const char *a0 = raw(a), *b0 = raw(b);
  const char *a1 = a0 + ffi::GetDataSize(a), *b1 = b0 + ffi::GetDataSize(b);
  return a0 != a1 && b0 != b1 && a0 < b1 && b0 < a1;
}
inline ffi::Tensor env_alloc(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  std::vector<int64_t> s(shape);
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(s.data(), s.size()), dtype,
                                   DLDevice{kDLCPU, 0});
}
inline ffi::Tensor env_alloc_as(ffi::ShapeView shape, DLDataType dtype)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, DLDevice{kDLCPU, 0});
}

inline uint16_t to_bf16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if ((u & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((u >> 16) | 0x40);
  return static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
inline uint16_t to_f16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  uint32_t sign = (u >> 16) & 0x8000, a = u & 0x7fffffffu;
  if (a > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00);
  if (a >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00);  // 65536 and more
  if (a < 0x38800000u) {                                              // below 2^-14
    float m;
    std::memcpy(&m, &a, 4);
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyintf(m * 16777216.0f)));
  }
  uint32_t h = a - 0x38000000u;
  h = (h + 0xfff + ((h >> 13) & 1)) >> 13;
  return static_cast<uint16_t>(sign | h);
}

// Calls fn(begin, end) for parts of [0, n), in several threads if it is worth it.
template <class F>
inline void parallel(int64_t n, int64_t grain, const F &fn)
{
  int64_t parts = std::min<int64_t>(4, n / std::max<int64_t>(1, grain));
  if (parts <= 1) {
    if (n > 0) fn(int64_t{0}, n);
    return;
  }
  std::vector<std::thread> threads;
  std::mutex lock;
  std::exception_ptr error;
  auto part = [&](int64_t p) {
    try {
      fn(n * p / parts, n * (p + 1) / parts);
    } catch (...) {
      std::lock_guard<std::mutex> hold(lock);
      if (!error) error = std::current_exception();
    }
  };
  for (int64_t p = 1; p < parts; ++p) {
    try {
      threads.emplace_back(part, p);
    } catch (const std::system_error &) {
      part(p);
    }
  }
  part(0);
  for (std::thread &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
