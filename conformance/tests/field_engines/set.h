// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder share: element types, checks of tensors, access to elements.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Optional;
using ffi::Tensor;

// ---- data types ----

constexpr DLDataType kFloat32{kDLFloat, 32, 1};
constexpr DLDataType kFloat16{kDLFloat, 16, 1};
constexpr DLDataType kBfloat16{kDLBfloat, 16, 1};
constexpr DLDataType kFloat8{kDLFloat8_e4m3fn, 8, 1};
constexpr DLDataType kInt8{kDLInt, 8, 1};
constexpr DLDataType kInt32{kDLInt, 32, 1};
constexpr DLDataType kInt64{kDLInt, 64, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string Name(DLDataType t)
{
  std::string code = t.code == kDLFloat    ? "float"
                     : t.code == kDLBfloat ? "bfloat"
                     : t.code == kDLInt    ? "int"
                     : t.code == kDLUInt   ? "uint"
                     : t.code == kDLBool   ? "bool"
                     : t.code == kDLFloat8_e4m3fn
                         ? "float8_e4m3fn/"
                         : "type " + std::to_string(static_cast<int>(t.code)) + "/";
  code += std::to_string(static_cast<int>(t.bits));
  if (t.lanes != 1) code += "x" + std::to_string(static_cast<int>(t.lanes));
  return code;
}

inline float BitsToFloat(uint32_t bits)
{
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

inline uint32_t FloatToBits(float value)
{
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

// A value rounded to `digits` bits of mantissa (half to even), whose least exponent is `least`:
// numbers below it have fewer digits.
inline double RoundTo(double value, int digits, int least)
{
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = std::max(std::ilogb(value), least);
  int shift = exponent - (digits - 1);
  return std::ldexp(std::nearbyint(std::ldexp(value, -shift)), shift);
}

struct Half {
  uint16_t bits;
  static double Load(Half h)
  {
    int exponent = (h.bits >> 10) & 31, mantissa = h.bits & 1023;
    double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                   : exponent == 0 ? std::ldexp(mantissa, -24)
                                   : std::ldexp(mantissa + 1024, exponent - 25);
    return h.bits & 0x8000 ? -value : value;
  }
  static Half Store(double value)
  {
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return {static_cast<uint16_t>(sign | 0x7e00)};
    double a = std::fabs(RoundTo(value, 11, -14));
    if (a > 65504) return {static_cast<uint16_t>(sign | 0x7c00)};
    if (a == 0) return {sign};
    int exponent = std::max(std::ilogb(a), -14);
    int mantissa = static_cast<int>(std::ldexp(a, 10 - exponent));
    int bits = mantissa < 1024 ? mantissa : ((exponent + 15) << 10) + (mantissa - 1024);
    return {static_cast<uint16_t>(sign | bits)};
  }
};

struct Bfloat {
  uint16_t bits;
  static double Load(Bfloat b)
  {
    return BitsToFloat(static_cast<uint32_t>(b.bits) << 16);
  }
  static Bfloat Store(double value)
  {
    uint32_t bits = FloatToBits(static_cast<float>(RoundTo(value, 8, -126)));
    if (std::isnan(value)) bits |= 0x400000;
    return {static_cast<uint16_t>(bits >> 16)};
  }
};

// float8_e4m3fn: no infinity, up to 448; larger numbers are 448.
struct Float8 {
  uint8_t bits;
  static double Load(Float8 f)
  {
    int exponent = (f.bits >> 3) & 15, mantissa = f.bits & 7;
    double value = (f.bits & 0x7f) == 0x7f ? NAN
                   : exponent == 0         ? std::ldexp(mantissa, -9)
                                           : std::ldexp(mantissa + 8, exponent - 10);
    return f.bits & 0x80 ? -value : value;
  }
  static Float8 Store(double value)
  {
    uint8_t sign = std::signbit(value) ? 0x80 : 0;
    if (std::isnan(value)) return {static_cast<uint8_t>(sign | 0x7f)};
    double a = std::min(std::fabs(RoundTo(value, 4, -6)), 448.0);
    if (a == 0) return {sign};
    int exponent = std::max(std::ilogb(a), -6);
    int mantissa = static_cast<int>(std::ldexp(a, 3 - exponent));
    int bits = mantissa < 8 ? mantissa : ((exponent + 7) << 3) + (mantissa - 8);
    return {static_cast<uint8_t>(sign | bits)};
  }
};

struct Single {
  float value;
  static double Load(Single s)
  {
    return s.value;
  }
  static Single Store(double value)
  {
    return {static_cast<float>(value)};
  }
};

// Elements are read and written byte by byte: tensors may lie at any address.
template <typename T>
inline double Get(const char *at)
{
  T element;
  std::memcpy(&element, at, sizeof(T));
  return T::Load(element);
}

template <typename T>
inline void Put(char *at, double value)
{
  T element = T::Store(value);
  std::memcpy(at, &element, sizeof(T));
}

template <typename T>
inline T GetRaw(const char *at)
{
  T element;
  std::memcpy(&element, at, sizeof(T));
  return element;
}

template <typename T>
inline void PutRaw(char *at, T element)
{
  std::memcpy(at, &element, sizeof(T));
}

// Calls f with an element of the C++ type that stands for a floating-point type, which was checked.
template <typename F>
inline void ByFloatType(DLDataType type, F f)
{
  if (Same(type, kFloat16)) {
    f(Half());
  } else if (Same(type, kBfloat16)) {
    f(Bfloat());
  } else {
    f(Single());
  }
}

// ---- tensors ----

// What a kernel needs to know of a tensor; strides are in elements.
struct View {
  char *data = nullptr;
  std::vector<int64_t> shape, strides;
  DLDataType dtype{};
  int64_t width = 0;  // bytes of an element

  char *at(int64_t i) const
  {
    return data + i * strides[0] * width;
  }
  char *at(int64_t i, int64_t j) const
  {
    return data + (i * strides[0] + j * strides[1]) * width;
  }
  char *at(int64_t i, int64_t j, int64_t k) const
  {
    return data + (i * strides[0] + j * strides[1] + k * strides[2]) * width;
  }
  int64_t numel() const
  {
    int64_t n = 1;
    for (int64_t extent : shape) n *= extent;
    return n;
  }
};

enum Layout { kStrided, kRows, kContiguous };

inline bool LaidOut(const View &v, Layout layout)
{
  if (layout == kStrided || v.numel() == 0) return true;
  int64_t expected = 1;
  for (size_t i = v.shape.size(); i-- > 0;) {
    if (v.shape[i] != 1 && v.strides[i] != expected) return false;
    if (layout == kRows) break;
    expected *= v.shape[i];
  }
  return true;
}

// Checks type, rank, device and layout of a tensor on the host. The offset of its data and missing
// strides are taken care of here.
inline View Check(const char *name, const DLTensor *t, std::initializer_list<DLDataType> types,
                  int rank, Layout layout = kContiguous)
{
  if (t == nullptr) TVM_FFI_THROW(TypeError) << name << " must be a tensor, not a null pointer";
  bool known = false;
  for (DLDataType type : types) known = known || Same(type, t->dtype);
  if (!known) {
    std::string list;
    for (DLDataType type : types) list += (list.empty() ? "" : ", ") + Name(type);
    TVM_FFI_THROW(TypeError) << name << " must have data type " << list << ", not "
                             << Name(t->dtype);
  }
  if (t->ndim != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, not " << t->ndim;
  }
  if (t->device.device_type != kDLCPU || t->device.device_id != 0) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  }
  View v;
  v.dtype = t->dtype;
  v.width = t->dtype.bits / 8;
  v.shape.assign(t->shape, t->shape + rank);
  v.strides.resize(rank, 1);
  for (int i = rank - 1; i >= 0; --i) {
    if (v.shape[i] < 0) TVM_FFI_THROW(ValueError) << name << " has a negative extent";
    if (t->strides != nullptr) {
      v.strides[i] = t->strides[i];
    } else if (i + 1 < rank) {
      v.strides[i] = v.strides[i + 1] * v.shape[i + 1];
    }
  }
  if (!LaidOut(v, layout)) {
    const char *needed = layout == kRows ? " must have elements of the last dimension side by side"
                                         : " must be contiguous";
    TVM_FFI_THROW(ValueError) << name << needed;
  }
  if (t->data != nullptr) {
    v.data = static_cast<char *>(t->data) + t->byte_offset;
  } else if (v.numel() != 0) {
    TVM_FFI_THROW(ValueError) << name << " has no data";
  }
  return v;
}

inline View Check(const char *name, const Optional<Tensor> &t,
                  std::initializer_list<DLDataType> types, int rank, Layout layout = kContiguous)
{
  return Check(name, t.value().GetDLTensorPtr(), types, rank, layout);
}

inline void CheckExtent(const char *name, const View &v, int axis, int64_t expected)
{
  if (v.shape[axis] != expected) {
    TVM_FFI_THROW(ValueError) << name << " must have extent " << expected << " in dimension "
                              << axis << ", not " << v.shape[axis];
  }
}

inline void CheckType(const char *name, const View &v, DLDataType expected)
{
  if (!Same(v.dtype, expected)) {
    TVM_FFI_THROW(TypeError) << name << " must have data type " << Name(expected) << ", not "
                             << Name(v.dtype);
  }
}

// No two elements of an output may be in the same place.
inline void CheckApart(const char *name, const View &v)
{
  if (v.numel() == 0) return;
  std::vector<std::pair<int64_t, int64_t>> steps;  // by stride
  for (size_t i = 0; i < v.shape.size(); ++i) {
    if (v.shape[i] != 1) steps.emplace_back(std::abs(v.strides[i]), v.shape[i]);
  }
  std::sort(steps.begin(), steps.end());
  int64_t reach = 0;
  for (const auto &step : steps) {
    if (step.first <= reach) TVM_FFI_THROW(ValueError) << name << " overlaps itself";
    reach += step.first * (step.second - 1);
  }
}

inline Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType type)
{
  ffi::Shape extents(shape);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, extents, type, DLDevice{kDLCPU, 0});
}

inline char *DataOf(const Tensor &t)
{
  return static_cast<char *>(t.data_ptr()) + t.GetDLTensorPtr()->byte_offset;
}

}  // namespace set
