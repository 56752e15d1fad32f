// SPDX-License-Identifier: Apache-2.0
// Shared by all kernels of this folder.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace ffi = tvm::ffi;

#define NEED(cond, Kind, msg)                \
  do {                                       \
    if (!(cond)) TVM_FFI_THROW(Kind) << msg; \
  } while (0)

constexpr DLDataType F16{kDLFloat, 16, 1}, F32{kDLFloat, 32, 1}, F64{kDLFloat, 64, 1},
    BF16{kDLBfloat, 16, 1};
constexpr DLDataType I8{kDLInt, 8, 1}, I32{kDLInt, 32, 1}, I64{kDLInt, 64, 1}, U8{kDLUInt, 8, 1},
    BOOL{kDLBool, 8, 1};
constexpr DLDataType E4M3{kDLFloat8_e4m3fn, 8, 1}, E5M2{kDLFloat8_e5m2, 8, 1};

// ---- numbers -------------------------------------------------------------------------------------------------------
// Rounds to nearest even, from a double directly; `top` is the pattern of infinity (what lies above becomes it).
inline uint32_t encode(double x, int ebits, int mbits, uint32_t top, uint32_t nan)
{
  uint32_t sign = std::signbit(x) ? 1u << (ebits + mbits) : 0;
  if (std::isnan(x)) return sign | nan;
  double a = std::fabs(x);
  if (a == 0) return sign;
  if (std::isinf(a)) return sign | top;
  int bias = (1 << (ebits - 1)) - 1, emin = 1 - bias, e;
  std::frexp(a, &e);
  int E = std::max(e - 1, emin);
  double q = std::nearbyint(std::ldexp(a, mbits - E));
  if (E > bias + 1) return sign | top;
  uint64_t bits = (static_cast<uint64_t>(E - emin) << mbits) + static_cast<uint64_t>(q);
  return sign | static_cast<uint32_t>(std::min<uint64_t>(bits, top));
}
struct half_t {
  uint16_t v;
};
struct bf16_t {
  uint16_t v;
};
inline double get(half_t h)
{
  int e = (h.v >> 10) & 31, m = h.v & 1023;
  double a = e == 31 ? (m ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity())
             : e     ? std::ldexp(m + 1024, e - 25)
                     : std::ldexp(m, -24);
  return h.v >> 15 ? -a : a;
}
inline double get(bf16_t b)
{
  uint32_t u = static_cast<uint32_t>(b.v) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline double get(float x)
{
  return x;
}
inline double get(double x)
{
  return x;
}
inline int64_t get(int8_t x)
{
  return x;
}
inline int64_t get(uint8_t x)
{
  return x;
}
inline int64_t get(int32_t x)
{
  return x;
}
inline int64_t get(int64_t x)
{
  return x;
}
template <class T>
inline T put(double x)
{
  if constexpr (std::is_same_v<T, half_t>)
    return half_t{static_cast<uint16_t>(encode(x, 5, 10, 0x7c00, 0x7e00))};
  else if constexpr (std::is_same_v<T, bf16_t>)
    return bf16_t{static_cast<uint16_t>(encode(x, 8, 7, 0x7f80, 0x7fc0))};
  else
    return static_cast<T>(x);
}

// ---- tensors -------------------------------------------------------------------------------------------------------
struct View {
  const DLTensor *t = nullptr;
  const char *name = "";
  View() = default;
  View(const DLTensor *p, const char *n) : t(p), name(n)
  {
    NEED(p, TypeError, n << ": expected a tensor");
  }
  View(const ffi::TensorView &v, const char *n) : name(n)
  {
    TVMFFIAny a;
    ffi::TypeTraits<ffi::TensorView>::CopyToAnyView(v, &a);
    t = static_cast<const DLTensor *>(a.v_ptr);
  }
  View(const ffi::Tensor &v, const char *n) : name(n)
  {
    NEED(v.defined(), TypeError, n << ": expected a tensor, not None");
    t = v.GetDLTensorPtr();
  }
  explicit operator bool() const
  {
    return t;
  }
  int nd() const
  {
    return t->ndim;
  }
  int64_t n(int i) const
  {
    return t->shape[i < 0 ? i + t->ndim : i];
  }
  int64_t stride(int i) const
  {
    if (i < 0) i += t->ndim;
    if (t->strides) return t->strides[i];
    int64_t s = 1;
    for (int k = t->ndim - 1; k > i; --k) s *= t->shape[k];
    return s;
  }
  int64_t numel() const
  {
    int64_t s = 1;
    for (int i = 0; i < t->ndim; ++i) s *= t->shape[i];
    return s;
  }
  DLDataType dtype() const
  {
    return t->dtype;
  }
  template <class T>
  T *p() const
  {
    return reinterpret_cast<T *>(static_cast<char *>(t->data) + t->byte_offset);
  }
  // offset, in elements, of element `flat` of the first `dims` dimensions
  int64_t at(int64_t flat, int dims) const
  {
    int64_t o = 0;
    for (int i = dims - 1; i >= 0; --i) {
      o += flat % t->shape[i] * stride(i);
      flat /= t->shape[i];
    }
    return o;
  }

  const View &type(std::initializer_list<DLDataType> any) const
  {
    for (auto d : any)
      if (d == t->dtype) return *this;
    TVM_FFI_THROW(TypeError) << name << ": data type " << t->dtype << " is not supported";
    return *this;
  }
  const View &same_type(const View &o) const
  {
    NEED(t->dtype == o.t->dtype, TypeError,
         name << ": data type " << t->dtype << " is not that of " << o.name);
    return *this;
  }
  const View &rank(int r) const
  {
    NEED(t->ndim == r, ValueError, name << ": expected " << r << " dimensions, got " << t->ndim);
    return *this;
  }
  const View &min_rank(int r) const
  {
    NEED(t->ndim >= r, ValueError,
         name << ": expected at least " << r << " dimensions, got " << t->ndim);
    return *this;
  }
  const View &extent(int i, int64_t e) const
  {
    NEED(n(i) == e, ValueError, name << ": extent " << i << " is " << n(i) << ", expected " << e);
    return *this;
  }
  const View &cpu() const
  {
    NEED(t->device.device_type == kDLCPU, ValueError, name << ": expected on the CPU");
    return *this;
  }
  const View &contiguous() const
  {
    NEED(ffi::IsContiguous(*t), ValueError, name << ": must be contiguous");
    return *this;
  }
  const View &rows() const
  {
    NEED(numel() == 0 || t->ndim == 0 || n(-1) == 1 || stride(-1) == 1, ValueError,
         name << ": elements of the last dimension must lie side by side");
    return *this;
  }
  const View &aligned(size_t a) const
  {
    NEED((reinterpret_cast<uintptr_t>(p<char>()) % a) == 0, ValueError,
         name << ": must be aligned to " << a << " bytes");
    return *this;
  }
};
inline bool same_device(const View &a, const View &b)
{
  return a.t->device.device_type == b.t->device.device_type &&
         a.t->device.device_id == b.t->device.device_id;
}

inline ffi::Tensor make(ffi::ShapeView s, DLDataType d)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, s, d, DLDevice{kDLCPU, 0});
}

template <class F>
void with_float(DLDataType d, F f)
{
  if (d == F32)
    f(float());
  else if (d == F64)
    f(double());
  else if (d == F16)
    f(half_t());
  else
    f(bf16_t());
}
template <class F>
void with_index(DLDataType d, F f)
{
  if (d == I32)
    f(int32_t());
  else if (d == U8)
    f(uint8_t());
  else
    f(int64_t());
}

// f(begin, end) over 0..n, on two threads where there is much to do; f must not throw
template <class F>
void parallel(int64_t n, int64_t work, F f)
{
  if (n < 2 || work < (1 << 16)) return f(0, n);
  std::thread other([&] { f(n / 2, n); });
  f(0, n / 2);
  other.join();
}
