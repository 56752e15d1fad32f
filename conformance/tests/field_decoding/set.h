// SPDX-License-Identifier: Apache-2.0
// What the kernels of this set share: checked views of tensors, number formats, errors.
#pragma once

// One by one: the first releases have no tvm/ffi/tvm_ffi.h.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

// ---------------------------------------------------------------------------------------------
// Number formats
// ---------------------------------------------------------------------------------------------

constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kE4M3{kDLFloat8_e4m3fn, 8, 1};
constexpr DLDataType kI8{kDLInt, 8, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string TypeName(DLDataType t)
{
  std::string s;
  switch (t.code) {
    case kDLInt:
      s = "int";
      break;
    case kDLUInt:
      s = "uint";
      break;
    case kDLFloat:
      s = "float";
      break;
    case kDLBfloat:
      s = "bfloat";
      break;
    case kDLFloat8_e4m3fn:
      s = "float8_e4m3fn/";
      break;
    default:
      s = "type" + std::to_string(static_cast<int>(t.code)) + "/";
      break;
  }
  s += std::to_string(static_cast<int>(t.bits));
  if (t.lanes != 1) s += "x" + std::to_string(static_cast<int>(t.lanes));
  return s;
}

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};
struct E4M3 {
  uint8_t bits;
};

// The code, without its sign, of |x| in a format with `mantissa` bits whose least normal exponent
// is `least`: rounded to nearest, ties to even; at most `most`.
inline int64_t Encode(double x, int mantissa, int least, int64_t most)
{
  double a = std::fabs(x);
  if (a == 0) return 0;
  if (std::isinf(a)) return most;
  int e = std::max(std::ilogb(a), least);
  if (e - least > 4096) return most;
  double q = std::nearbyint(std::ldexp(a, mantissa - e));
  int64_t code = (static_cast<int64_t>(e - least) << mantissa) + static_cast<int64_t>(q);
  return std::min(code, most);
}

inline double Get(float x)
{
  return x;
}
inline double Get(F16 x)
{
  int e = (x.bits >> 10) & 31, m = x.bits & 1023;
  double a;
  if (e == 31) {
    a = m ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    a = std::ldexp(static_cast<double>(e ? 1024 + m : m), std::max(e, 1) - 25);
  }
  return (x.bits & 0x8000) ? -a : a;
}
inline double Get(BF16 x)
{
  uint32_t b = static_cast<uint32_t>(x.bits) << 16;
  float f;
  std::memcpy(&f, &b, 4);
  return f;
}

inline void Put(double x, float *y)
{
  *y = static_cast<float>(x);
}
inline void Put(double x, F16 *y)
{
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  y->bits = sign | (std::isnan(x) ? 0x7e00 : static_cast<uint16_t>(Encode(x, 10, -14, 0x7c00)));
}
inline void Put(double x, BF16 *y)
{
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  y->bits = sign | (std::isnan(x) ? 0x7fc0 : static_cast<uint16_t>(Encode(x, 7, -126, 0x7f80)));
}
// Saturates: what is larger than 448 becomes 448; there is no infinity.
inline void Put(double x, E4M3 *y)
{
  uint8_t sign = std::signbit(x) ? 0x80 : 0;
  y->bits = sign | (std::isnan(x) ? 0x7f : static_cast<uint8_t>(Encode(x, 3, -6, 0x7e)));
}

// x, rounded to T.
template <typename T>
inline double Rounded(double x)
{
  T t;
  Put(x, &t);
  return Get(t);
}

// Calls f with a value of the C++ type of a floating point data type.
template <typename F>
inline void ByFloat(DLDataType t, F &&f)
{
  if (Same(t, kF32)) {
    f(float{});
  } else if (Same(t, kF16)) {
    f(F16{});
  } else {
    f(BF16{});
  }
}

// ---------------------------------------------------------------------------------------------
// Tensors
// ---------------------------------------------------------------------------------------------

constexpr int kMaxDims = 8;

// A checked view: strides are there even if the tensor has none, the byte offset is in `data`.
struct View {
  const char *name = "";
  char *data = nullptr;
  int ndim = 0;
  int64_t shape[kMaxDims] = {};
  int64_t stride[kMaxDims] = {};
  DLDataType dtype{};
  DLDevice device{};

  int64_t numel() const
  {
    int64_t n = 1;
    for (int i = 0; i < ndim; ++i) n *= shape[i];
    return n;
  }
  template <typename T>
  T *at(int64_t offset) const
  {
    return reinterpret_cast<T *>(data) + offset;
  }
  // The number of rows, and where one begins; a row is the last dimension.
  int64_t rows() const
  {
    int64_t n = 1;
    for (int i = 0; i + 1 < ndim; ++i) n *= shape[i];
    return n;
  }
  int64_t row(int64_t r) const
  {
    int64_t offset = 0;
    for (int i = ndim - 2; i >= 0; --i) {
      offset += r % shape[i] * stride[i];
      r /= shape[i];
    }
    return offset;
  }
  // The element of a vector of int32 or int64.
  int64_t index(int64_t i) const
  {
    return dtype.bits == 32 ? static_cast<int64_t>(*at<int32_t>(i * stride[0]))
                            : *at<int64_t>(i * stride[0]);
  }
};

inline std::string ShapeText(const int64_t *shape, int ndim)
{
  std::string s = "(";
  for (int i = 0; i < ndim; ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + ")";
}

// Any TensorLike: TensorView or Tensor. `rank` < 0: at least 1.
template <typename TensorLike>
inline View Look(const TensorLike &t, const char *name, int rank,
                 std::initializer_list<DLDataType> types)
{
  View v;
  v.name = name;
  v.dtype = t.dtype();
  v.device = t.device();
  v.ndim = t.ndim();
  bool known = false;
  for (DLDataType d : types) known = known || Same(d, v.dtype);
  if (!known) {
    std::string list;
    for (DLDataType d : types) list += (list.empty() ? "" : ", ") + TypeName(d);
    TVM_FFI_THROW(TypeError) << name << ": data type " << TypeName(v.dtype)
                             << " is not supported (expected " << list << ")";
  }
  if (v.device.device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << ": must be on the CPU";
  }
  if (rank >= 0 ? v.ndim != rank : (v.ndim < 1 || v.ndim > kMaxDims)) {
    TVM_FFI_THROW(ValueError) << name << ": has " << v.ndim << " dimensions, expected "
                              << (rank >= 0 ? std::to_string(rank) : std::string("1 to 8"));
  }
  int64_t elements = 1;
  for (int i = 0; i < v.ndim; ++i) {
    v.shape[i] = t.shape()[i];
    if (v.shape[i] < 0) TVM_FFI_THROW(ValueError) << name << ": a dimension is negative";
    elements *= v.shape[i];
  }
  if (t.IsContiguous()) {  // strides may be missing, and those of extents of 1 mean nothing
    int64_t s = 1;
    for (int i = v.ndim - 1; i >= 0; --i) {
      v.stride[i] = s;
      s *= v.shape[i];
    }
  } else {
    for (int i = 0; i < v.ndim; ++i) v.stride[i] = v.shape[i] == 1 ? 0 : t.strides()[i];
  }
  v.data = static_cast<char *>(t.data_ptr());
  if (v.data != nullptr) v.data += t.byte_offset();
  if (elements != 0) {
    if (v.data == nullptr) TVM_FFI_THROW(ValueError) << name << ": has no data";
    if (reinterpret_cast<uintptr_t>(v.data) % ((v.dtype.bits + 7) / 8) != 0) {
      TVM_FFI_THROW(ValueError) << name << ": data is not aligned to its elements";
    }
  }
  return v;
}

inline void NeedContiguous(const View &v)
{
  int64_t s = 1;
  if (v.numel() == 0) return;
  for (int i = v.ndim - 1; i >= 0; --i) {
    if (v.shape[i] != 1 && v.stride[i] != s) {
      TVM_FFI_THROW(ValueError) << v.name << ": must be contiguous";
    }
    s *= v.shape[i];
  }
}

// Elements of the last dimension lie side by side; rows lie anywhere.
inline void NeedRows(const View &v)
{
  if (v.numel() == 0) return;
  int last = v.ndim - 1;
  if (v.shape[last] != 1 && v.stride[last] != 1) {
    TVM_FFI_THROW(ValueError) << v.name << ": its last dimension must be contiguous";
  }
}

// No two elements of what is written are in one place.
inline void NeedDistinct(const View &v)
{
  if (v.numel() == 0) return;
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (int i = 0; i < v.ndim; ++i) {
    if (v.shape[i] > 1) dims.emplace_back(std::llabs(v.stride[i]), v.shape[i]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t reach = 0;
  for (const auto &d : dims) {
    if (d.first <= reach) {
      TVM_FFI_THROW(ValueError) << v.name << ": elements that are written overlap";
    }
    reach += d.first * (d.second - 1);
  }
}

inline void NeedShape(const View &v, std::initializer_list<int64_t> shape)
{
  int i = 0;
  for (int64_t n : shape) {
    if (v.shape[i] != n) {
      TVM_FFI_THROW(ValueError) << v.name << ": has shape " << ShapeText(v.shape, v.ndim)
                                << ", expected "
                                << ShapeText(shape.begin(), static_cast<int>(shape.size()));
    }
    ++i;
  }
}

inline void NeedSameType(const View &v, const View &w)
{
  if (!Same(v.dtype, w.dtype)) {
    TVM_FFI_THROW(TypeError) << v.name << ": data type " << TypeName(v.dtype) << " differs from "
                             << TypeName(w.dtype) << " of " << w.name;
  }
}

inline Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType dtype, DLDevice device)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.begin(), shape.size()),
                              dtype, device);
}

inline char *Data(const Tensor &t)
{
  return static_cast<char *>(t.data_ptr()) + (t.data_ptr() ? t.byte_offset() : 0);
}

}  // namespace set
