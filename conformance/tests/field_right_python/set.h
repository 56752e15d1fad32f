// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace ffi = tvm::ffi;

#define REFUSE(Kind) TVM_FFI_THROW(Kind)
#define NEED(Cond, Kind) \
  if (!(Cond)) TVM_FFI_THROW(Kind)

constexpr DLDataType F16{kDLFloat, 16, 1}, F32{kDLFloat, 32, 1}, F64{kDLFloat, 64, 1},
    BF16{kDLBfloat, 16, 1};
constexpr DLDataType I8{kDLInt, 8, 1}, U8{kDLUInt, 8, 1}, I32{kDLInt, 32, 1}, I64{kDLInt, 64, 1},
    B8{kDLBool, 8, 1};
constexpr DLDevice CPU{kDLCPU, 0};

inline bool one_of(DLDataType t, std::initializer_list<DLDataType> of)
{
  for (auto o : of)
    if (o == t) return true;
  return false;
}

enum Layout { kContiguous, kRows, kStrided };

// A tensor with its address, extents and strides (in elements) settled.
struct View {
  char *p;
  std::vector<int64_t> shape, stride;
  DLDataType dt;
  int64_t n, item;
  int rank() const
  {
    return static_cast<int>(shape.size());
  }
  char *at(int64_t element) const
  {
    return p + element * item;
  }
};

inline int64_t count(const std::vector<int64_t> &shape)
{
  for (auto e : shape)
    if (e == 0) return 0;
  int64_t n = 1;
  for (auto e : shape) NEED(!__builtin_mul_overflow(n, e, &n), ValueError) << "too many elements";
  return n;
}

inline View view(const ffi::TensorView &t, const char *name,
                 std::initializer_list<DLDataType> types, int rank = -1,
                 Layout layout = kContiguous)
{
  NEED(t.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
  NEED(one_of(t.dtype(), types), TypeError) << name << " has the data type " << t.dtype();
  NEED(rank < 0 || t.ndim() == rank, ValueError)
      << name << " must have " << rank << " dimensions, not " << t.ndim();
  View v;
  v.dt = t.dtype();
  v.item = v.dt.bits / 8;
  v.p = static_cast<char *>(t.data_ptr()) + t.byte_offset();
  for (int i = 0; i < t.ndim(); i++) {
    v.shape.push_back(t.shape()[i]);
    NEED(v.shape[i] >= 0, ValueError) << name << " has a negative extent";
  }
  v.n = count(v.shape);
  v.stride.resize(v.shape.size());
  if (t.IsContiguous()) {
    int64_t step = 1;
    for (int i = v.rank(); i-- > 0;) {
      v.stride[i] = step;
      step *= std::max<int64_t>(v.shape[i], 1) <= (int64_t(1) << 40) && v.n > 0 ? v.shape[i] : 1;
    }
  } else {
    NEED(layout != kContiguous, ValueError) << name << " must be contiguous";
    for (int i = 0; i < v.rank(); i++) v.stride[i] = t.strides()[i];
    NEED(layout != kRows || v.shape.back() == 1 || v.stride.back() == 1, ValueError)
        << "the rows of " << name << " must be contiguous";
  }
  NEED(v.n == 0 || t.data_ptr() != nullptr, ValueError) << name << " has no data";
  return v;
}

inline View view(const ffi::Tensor &t, const char *name, std::initializer_list<DLDataType> types,
                 int rank = -1, Layout layout = kContiguous)
{
  NEED(t.defined(), TypeError) << name << " must be a tensor, not None";
  return view(ffi::TensorView(t), name, types, rank, layout);
}

inline ffi::Tensor alloc(const std::vector<int64_t> &shape, DLDataType dt)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                                   dt, CPU);
}

// ---- numbers
inline float half_to_float(uint16_t h)
{
  uint32_t s = uint32_t(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
  float f;
  uint32_t b;
  if (e == 0) {
    f = std::ldexp(static_cast<float>(m), -24);
    std::memcpy(&b, &f, 4);
    b |= s;
  } else if (e == 31) {
    b = s | 0x7f800000 | m << 13;
  } else {
    b = s | (e + 112) << 23 | m << 13;
  }
  std::memcpy(&f, &b, 4);
  return f;
}

inline uint16_t double_to_half(double d)
{
  uint16_t s = std::signbit(d) ? 0x8000 : 0;
  if (std::isnan(d)) return s | 0x7e00;
  d = std::fabs(d);
  if (d >= 65520) return s | 0x7c00;
  if (d < std::ldexp(1.0, -14)) return s | static_cast<uint16_t>(std::nearbyint(std::ldexp(d, 24)));
  int e;
  double m = std::frexp(d, &e);  // d = m * 2^e, m in [0.5, 1)
  int64_t q = static_cast<int64_t>(std::nearbyint(std::ldexp(m, 11)));  // 1024 to 2048
  return s | static_cast<uint16_t>(((e + 14) << 10) + (q - 1024));
}

inline float bf16_to_float(uint16_t h)
{
  uint32_t b = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &b, 4);
  return f;
}

inline uint16_t float_to_bf16(float f)
{
  uint32_t b;
  std::memcpy(&b, &f, 4);
  if (std::isnan(f)) return static_cast<uint16_t>(b >> 16 | 0x40);
  return static_cast<uint16_t>((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

template <class T>
T get(const char *p)
{
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
void put(char *p, T v)
{
  std::memcpy(p, &v, sizeof v);
}

// Floats and integers of up to 32 bits as doubles; integers are stored as they are, the caller has them in range.
inline double load(DLDataType t, const char *p)
{
  if (t == F32) return get<float>(p);
  if (t == F64) return get<double>(p);
  if (t == F16) return half_to_float(get<uint16_t>(p));
  if (t == BF16) return bf16_to_float(get<uint16_t>(p));
  if (t == I32) return get<int32_t>(p);
  if (t == I8) return get<int8_t>(p);
  if (t == U8) return get<uint8_t>(p);
  REFUSE(TypeError) << "no number: " << t;
  return 0;
}
inline void store(DLDataType t, char *p, double v)
{
  if (t == F32) return put(p, static_cast<float>(v));
  if (t == F64) return put(p, v);
  if (t == F16) return put(p, double_to_half(v));
  if (t == BF16) return put(p, float_to_bf16(static_cast<float>(v)));
  if (t == I32) return put(p, static_cast<int32_t>(v));
  if (t == I8) return put(p, static_cast<int8_t>(v));
  if (t == U8) return put(p, static_cast<uint8_t>(v));
  REFUSE(TypeError) << "no number: " << t;
}
inline int64_t load_int(DLDataType t, const char *p)
{
  return t == I64 ? get<int64_t>(p) : get<int32_t>(p);
}

// ---- loops: f(begin, end), which must not throw, on two threads where it is worth it
template <class F>
void parallel(int64_t n, int64_t worth, const F &f)
{
  if (n < worth || n < 2) return f(0, n);
  std::thread other;
  try {
    other = std::thread([&] { f(0, n / 2); });
  } catch (const std::system_error &) {
    return f(0, n);
  }
  f(n / 2, n);
  other.join();
}

// A function with any number of arguments: void f(const ffi::AnyView* args, int n, ffi::Any* result).
#define EXPORT_PACKED(Name, Function)                                                          \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_##Name(void *, const TVMFFIAny *args, int32_t n, \
                                                     TVMFFIAny *result)                        \
  {                                                                                            \
    TVM_FFI_SAFE_CALL_BEGIN();                                                                 \
    Function(reinterpret_cast<const ffi::AnyView *>(args), n,                                  \
             reinterpret_cast<ffi::Any *>(result));                                            \
    TVM_FFI_SAFE_CALL_END();                                                                   \
  }

template <class T>
T argument(const ffi::AnyView *args, int i)
{
  auto v = args[i].try_cast<T>();
  NEED(v.has_value(), TypeError) << "argument #" << i << " has the type " << args[i].GetTypeKey();
  return *std::move(v);
}
