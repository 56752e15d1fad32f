// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>
namespace ffi = tvm::ffi;
using ffi::TensorView;
#ifndef BUG
#define BUG 0
#endif
constexpr DLDataType kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1}, kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1};
inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}
inline bool any_of(DLDataType a, std::initializer_list<DLDataType> l)
{
  for (auto b : l)
    if (same(a, b)) return true;
  return false;
}
#define NEED(cond, kind) \
  if (!(cond)) TVM_FFI_THROW(kind)
template <class T>
T *data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}
inline bool packed_from(const TensorView &t, int first)
{  // dims first.. lie side by side
  if (t.numel() == 0 || t.ndim() == 0 || t.IsContiguous()) return true;
  const int64_t *s = t.strides().data();
  int64_t want = 1;
  for (int i = t.ndim() - 1; i >= first; --i) {
    if (t.size(i) != 1 && s[i] != want) return false;
    want *= t.size(i);
  }
  return true;
}
// dtype, rank, device, alignment; layout from dimension `first` on (0: contiguous)
inline void check(const TensorView &t, const char *name, std::initializer_list<DLDataType> types,
                  int ndim, int first = 0)
{
  NEED(any_of(t.dtype(), types), TypeError) << name << " has a data type that is not taken";
  NEED(ndim < 0 || t.ndim() == ndim, ValueError)
      << name << " must have " << ndim << " dimensions, has " << t.ndim();
  NEED(t.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
  if (t.numel() == 0) return;
  NEED(packed_from(t, first), ValueError)
      << name << (first ? ": elements of a row must lie side by side" : " must be contiguous");
  NEED(reinterpret_cast<uintptr_t>(data<char>(t)) % ((t.dtype().bits + 7) / 8) == 0, ValueError)
      << name << " is not aligned";
}
inline void check_n(const TensorView &t, const char *name, int dim, int64_t n)
{
  NEED(t.size(dim) == n, ValueError)
      << name << " must have extent " << n << " in dimension " << dim << ", has " << t.size(dim);
}
inline void span(const TensorView &t, uintptr_t *lo, uintptr_t *hi)
{
  int64_t a = 0, b = 0, item = (t.dtype().bits + 7) / 8;
  if (t.IsContiguous())
    b = t.numel() - 1;
  else
    for (int i = 0; i < t.ndim(); ++i) {
      int64_t w = (t.size(i) - 1) * t.stride(i);
      (w < 0 ? a : b) += w;
    }
  uintptr_t p = reinterpret_cast<uintptr_t>(data<char>(t));
  *lo = p + a * item;
  *hi = p + (b + 1) * item;
}
inline bool overlap(const TensorView &a, const TensorView &b)
{
  if (a.numel() == 0 || b.numel() == 0) return false;
  uintptr_t al, ah, bl, bh;
  span(a, &al, &ah);
  span(b, &bl, &bh);
  return al < bh && bl < ah;
}
inline ffi::Tensor alloc(std::vector<int64_t> shape, DLDataType t)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                                   t, DLDevice{kDLCPU, 0});
}
inline float bf16_to_f(uint16_t v)
{
  uint32_t u = uint32_t(v) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t f_to_bf16(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if ((u & 0x7fffffff) > 0x7f800000) return uint16_t((u >> 16) | 0x40);
  return uint16_t((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
inline float f16_to_f(uint16_t h)
{
  uint32_t s = uint32_t(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 1023;
  float f;
  if (e == 0) {
    f = std::ldexp(float(m), -24);
    return s ? -f : f;
  }
  uint32_t u = e == 31 ? (s | 0x7f800000 | (m << 13)) : (s | ((e + 112) << 23) | (m << 13));
  std::memcpy(&f, &u, 4);
  return f;
}
// f(begin, end, worker) over [0, n); the first error of any worker is raised
template <class F>
void parallel(int64_t n, int64_t threads, F f)
{
  if (n <= 0) return;
  if (threads > n) threads = n;
  if (threads <= 1) {
    f(int64_t(0), n, 0);
    return;
  }
  std::vector<std::thread> pool;
  std::vector<std::exception_ptr> errors(threads);
  auto run = [&](int w) {
    try {
      f(n * w / threads, n * (w + 1) / threads, w);
    } catch (...) {
      errors[w] = std::current_exception();
    }
  };
  pool.reserve(threads);
  int w = 0;
  for (; w < threads - 1; ++w) {
    try {
      pool.emplace_back(run, w);
    } catch (...) {
      break;
    }
  }
  for (int v = w; v < threads; ++v) run(v);
  for (auto &t : pool) t.join();
  for (auto &e : errors)
    if (e) std::rethrow_exception(e);
}
