// SPDX-License-Identifier: Apache-2.0
// Common to the kernels of this folder: checks, types, allocation, conversions, threads.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::ObjectPtr;
using ffi::ObjectRef;
using ffi::Optional;
using ffi::PackedArgs;
using ffi::Shape;
using ffi::ShapeView;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

constexpr DLDataType F16{kDLFloat, 16, 1}, F32{kDLFloat, 32, 1}, F64{kDLFloat, 64, 1};
constexpr DLDataType BF16{kDLBfloat, 16, 1}, I8{kDLInt, 8, 1}, U8{kDLUInt, 8, 1};
constexpr DLDataType I32{kDLInt, 32, 1}, U32{kDLUInt, 32, 1}, I64{kDLInt, 64, 1};
constexpr DLDataType BOOL{kDLBool, 8, 1};
constexpr DLDevice CPU{kDLCPU, 0};

#define FAIL(kind) TVM_FFI_THROW(kind)
#define NEED(cond, kind) \
  if (!(cond)) TVM_FFI_THROW(kind)

template <typename T, typename V>
T *data_of(const V &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline int64_t bytes_of(DLDataType t)
{
  return (int64_t(t.bits) * t.lanes + 7) / 8;
}

// Rank, data type, device.
template <typename V>
void check_tensor(const V &t, const char *name, int ndim, std::initializer_list<DLDataType> types)
{
  NEED(t.device().device_type == kDLCPU, ValueError) << name << ": must be on the CPU";
  NEED(t.ndim() == ndim, ValueError)
      << name << ": expected " << ndim << " dimensions, got " << t.ndim();
  bool known = false;
  for (auto d : types) known = known || d == t.dtype();
  NEED(known, TypeError) << name << ": data type " << ffi::DLDataTypeToString(t.dtype())
                         << " is not supported";
  NEED(reinterpret_cast<uintptr_t>(data_of<char>(t)) % bytes_of(t.dtype()) == 0 || t.numel() == 0,
       ValueError)
      << name << ": not aligned to its elements";
}

template <typename V>
void check_dense(const V &t, const char *name)
{
  NEED(t.IsContiguous(), ValueError) << name << ": must be contiguous";
}

template <typename V>
void check_extent(const V &t, int dim, int64_t extent, const char *name)
{
  NEED(t.shape()[dim] == extent, ValueError)
      << name << ": dimension " << dim << " must be " << extent << ", is " << t.shape()[dim];
}

inline void check_range(int64_t value, int64_t least, int64_t most, const char *name)
{
  NEED(value >= least && value <= most, ValueError)
      << name << ": must be in [" << least << ", " << most << "], is " << value;
}

// Strides in elements, also where the producer left them out.
template <typename V>
std::vector<int64_t> strides_of(const V &t)
{
  int n = t.ndim();
  std::vector<int64_t> s(n);
  if (t.IsContiguous()) {
    int64_t step = 1;
    for (int i = n - 1; i >= 0; --i) {
      s[i] = step;
      step *= std::max<int64_t>(t.shape()[i], 1);
    }
  } else {
    for (int i = 0; i < n; ++i) s[i] = t.strides()[i];
  }
  return s;
}

// Elements of the last dimension lie side by side.
template <typename V>
void check_rows(const V &t, const char *name)
{
  if (t.IsContiguous()) return;
  int n = t.ndim();
  NEED(t.shape()[n - 1] <= 1 || t.strides()[n - 1] == 1, ValueError)
      << name << ": elements of the last dimension must lie side by side";
}

inline Tensor alloc(std::initializer_list<int64_t> shape, DLDataType dtype, DLDevice device = CPU)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ShapeView(shape.begin(), shape.size()), dtype,
                              device);
}

// An int32 or int64 element.
inline int64_t int_at(const void *p, DLDataType t, int64_t i)
{
  return t.bits == 64 ? static_cast<const int64_t *>(p)[i] : static_cast<const int32_t *>(p)[i];
}

inline float half_to_float(uint16_t h)
{
  uint32_t sign = uint32_t(h & 0x8000) << 16, e = (h >> 10) & 31, m = h & 1023, out;
  if (e == 31) {
    out = sign | 0x7f800000 | (m << 13);
  } else if (e) {
    out = sign | ((e + 112) << 23) | (m << 13);
  } else {
    float f = std::ldexp(float(m), -24);
    return sign ? -f : f;
  }
  float f;
  std::memcpy(&f, &out, 4);
  return f;
}

inline uint16_t float_to_half(double v)
{
  uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  double a = std::fabs(v);
  if (a != a) return sign | 0x7e00;
  if (a >= 65520) return sign | 0x7c00;
  if (a < 6.103515625e-05) return sign | uint16_t(std::nearbyint(std::ldexp(a, 24)));
  int e;
  double m = std::frexp(a, &e);  // a = m * 2^e, m in [0.5, 1)
  int64_t q = int64_t(std::nearbyint(std::ldexp(m, 11)));
  return sign | uint16_t(((e + 13) << 10) + q);
}

// [0, n) in up to 4 threads; an exception of any of them is thrown in the caller.
inline void parallel_for(int64_t n, int64_t grain,
                         const std::function<void(int64_t, int64_t)> &body)
{
  int64_t parts = std::min<int64_t>(4, grain > 0 ? n / grain : 1);
  if (parts <= 1) {
    if (n > 0) body(0, n);
    return;
  }
  std::vector<std::thread> threads;
  std::exception_ptr error;
  std::mutex lock;
  for (int64_t p = 0; p < parts; ++p) {
    int64_t lo = n * p / parts, hi = n * (p + 1) / parts;
    threads.emplace_back([&, lo, hi] {
      try {
        body(lo, hi);
      } catch (...) {
        std::lock_guard<std::mutex> guard(lock);
        if (!error) error = std::current_exception();
      }
    });
  }
  for (auto &t : threads) t.join();
  if (error) std::rethrow_exception(error);
}
