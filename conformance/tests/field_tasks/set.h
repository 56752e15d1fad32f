// SPDX-License-Identifier: Apache-2.0
// Shared helpers of the kernels in this folder. Nothing here depends on BUG.
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
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;

constexpr DLDataType kF16{kDLFloat, 16, 1}, kBF16{kDLBfloat, 16, 1}, kF32{kDLFloat, 32, 1},
    kF64{kDLFloat, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1};
constexpr DLDevice kCPU{kDLCPU, 0};

inline bool Is(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline const char *Bytes(const TensorView &t)
{
  return static_cast<const char *>(t.data_ptr()) + t.byte_offset();
}
template <class T>
T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline void NeedCPU(const TensorView &t, const char *name)
{
  TVM_FFI_CHECK(t.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
}
inline void NeedRank(const TensorView &t, int rank, const char *name)
{
  TVM_FFI_CHECK(t.ndim() == rank, ValueError)
      << name << " must have " << rank << " dimensions, not " << t.ndim();
}
inline void NeedContiguous(const TensorView &t, const char *name)
{
  TVM_FFI_CHECK(t.IsContiguous(), ValueError) << name << " must be contiguous";
}
inline void NeedAligned(const TensorView &t, const char *name)
{
  size_t size = (t.dtype().bits * t.dtype().lanes + 7) / 8;
  TVM_FFI_CHECK(t.numel() == 0 ||
                    (t.data_ptr() != nullptr && reinterpret_cast<uintptr_t>(Bytes(t)) % size == 0),
                ValueError)
      << name << " must be aligned to its elements";
}
inline void NeedType(const TensorView &t, std::initializer_list<DLDataType> types, const char *name)
{
  for (DLDataType d : types)
    if (Is(t.dtype(), d)) return;
  TVM_FFI_THROW(TypeError) << name << " has an unsupported data type";
}
// Everything about a contiguous tensor of the CPU but its extents.
inline void NeedPlain(const TensorView &t, std::initializer_list<DLDataType> types, int rank,
                      const char *name)
{
  NeedCPU(t, name);
  NeedType(t, types, name);
  NeedRank(t, rank, name);
  NeedContiguous(t, name);
  NeedAligned(t, name);
}
inline bool SameShape(const TensorView &a, const TensorView &b)
{
  if (a.ndim() != b.ndim()) return false;
  for (int i = 0; i < a.ndim(); ++i)
    if (a.shape()[i] != b.shape()[i]) return false;
  return true;
}
inline Tensor Alloc(std::vector<int64_t> shape, DLDataType dtype)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                              dtype, kCPU);
}

inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = uint32_t(h >> 15) << 31, exp = (h >> 10) & 31, man = h & 1023, bits;
  if (exp == 31) {
    bits = sign | 0x7f800000u | (man << 13);
  } else if (exp == 0) {
    float f = std::ldexp(float(man), -24);
    return sign ? -f : f;
  } else {
    bits = sign | ((exp + 112) << 23) | (man << 13);
  }
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline float BF16ToFloat(uint16_t h)
{
  uint32_t bits = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

// Calls f(begin, end) for parts of 0..n, on several threads if n is more than the grain.
template <class F>
void ParallelFor(int64_t n, int64_t grain, F f)
{
  int64_t parts = std::min<int64_t>(4, n / std::max<int64_t>(grain, 1));
  if (parts < 2) {
    if (n > 0) f(int64_t(0), n);
    return;
  }
  std::vector<std::thread> threads;
  std::vector<std::exception_ptr> errors(parts);
  for (int64_t p = 0; p < parts; ++p)
    threads.emplace_back([&, p] {
      try {
        f(n * p / parts, n * (p + 1) / parts);
      } catch (...) {
        errors[p] = std::current_exception();
      }
    });
  for (auto &t : threads) t.join();
  for (auto &e : errors)
    if (e) std::rethrow_exception(e);
}
