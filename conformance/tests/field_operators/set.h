// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common: views of tensors with their checks, half precision,
// allocation of results, and threads.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

namespace kit
{

namespace ffi = tvm::ffi;
using ffi::Array;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

constexpr int kMaxRank = 8;

// ---- data types ----------------------------------------------------------------------------------

constexpr DLDataType kF16{kDLFloat, 16, 1}, kF32{kDLFloat, 32, 1}, kF64{kDLFloat, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1}, kI64{kDLInt, 64, 1}, kU8{kDLUInt, 8, 1};

inline bool same_type(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string type_name(DLDataType t)
{
  const char *kind = t.code == kDLFloat    ? "float"
                     : t.code == kDLInt    ? "int"
                     : t.code == kDLUInt   ? "uint"
                     : t.code == kDLBfloat ? "bfloat"
                                           : "type";
  std::string name = kind + std::to_string(static_cast<int>(t.bits));
  if (t.lanes != 1) name += "x" + std::to_string(static_cast<int>(t.lanes));
  return name;
}

struct Half {
  uint16_t bits;
};

inline float to_float(Half h)
{
  uint32_t sign = static_cast<uint32_t>(h.bits >> 15) << 31;
  uint32_t exponent = h.bits >> 10 & 31, fraction = h.bits & 1023;
  uint32_t bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000u | fraction << 13;
  } else if (exponent != 0) {
    bits = sign | (exponent + 112) << 23 | fraction << 13;
  } else {
    float value = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
    return sign != 0 ? -value : value;
  }
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Rounds to the nearest, ties to even, straight from a double: no rounding twice.
inline Half to_half(double value)
{
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return Half{static_cast<uint16_t>(sign | 0x7e00)};
  double size = std::fabs(value);
  if (size >= 65520.0) return Half{static_cast<uint16_t>(sign | 0x7c00)};
  if (size < 6.103515625e-5) {  // 2^-14: subnormal, or rounds up to the least normal number
    return Half{
        static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(size * 16777216.0)))};
  }
  int exponent;
  double part = std::frexp(size, &exponent);  // size = part * 2^exponent, 0.5 <= part < 1
  int fraction = static_cast<int>(std::nearbyint(part * 2048.0));  // 1024 to 2048
  int bits = (exponent + 13) * 1024 + fraction;  // a fraction of 2048 carries into the exponent
  return Half{static_cast<uint16_t>(sign | bits)};
}

inline double load(Half h)
{
  return to_float(h);
}
inline double load(float v)
{
  return v;
}
inline double load(double v)
{
  return v;
}
inline void store(Half *p, double v)
{
  *p = to_half(v);
}
inline void store(float *p, double v)
{
  *p = static_cast<float>(v);
}
inline void store(double *p, double v)
{
  *p = v;
}

// ---- views ---------------------------------------------------------------------------------------

// A tensor on the CPU: where its first element is (the byte offset is in it), extents, and strides
// in elements, which are there even if the tensor came without.
struct View {
  char *data = nullptr;
  const char *name = "";
  DLDataType dtype{};
  DLDevice device{};
  int rank = 0;
  int64_t shape[kMaxRank] = {}, stride[kMaxRank] = {};

  template <typename T>
  T *as() const
  {
    return reinterpret_cast<T *>(data);
  }
  int64_t numel() const
  {
    int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }
  bool dense() const
  {
    int64_t expected = 1;
    if (numel() == 0) return true;
    for (int i = rank - 1; i >= 0; --i) {
      if (shape[i] == 1) continue;
      if (stride[i] != expected) return false;
      expected *= shape[i];
    }
    return true;
  }
  std::string shape_text() const
  {
    std::string text = "(";
    for (int i = 0; i < rank; ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + ")";
  }
};

template <typename AnyTensor>
View view_of(const AnyTensor &t, const char *name, int least_rank, int most_rank,
             bool use_offset = true)
{
  View v;
  v.name = name;
  v.dtype = t.dtype();
  v.device = t.device();
  if (v.device.device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU, and is on a device of type "
                              << static_cast<int>(v.device.device_type);
  }
  v.rank = t.ndim();
  if (v.rank < least_rank || v.rank > most_rank) {
    if (least_rank == most_rank) {
      TVM_FFI_THROW(ValueError) << name << " must have " << least_rank << " dimensions, and has "
                                << v.rank;
    }
    TVM_FFI_THROW(ValueError) << name << " must have " << least_rank << " to " << most_rank
                              << " dimensions, and has " << v.rank;
  }
  auto shape = t.shape();
  bool dense = t.IsContiguous();
  int64_t compact = 1;
  for (int i = v.rank - 1; i >= 0; --i) {
    v.shape[i] = shape[i];
    v.stride[i] = compact;
    compact *= shape[i];
  }
  if (!dense) {
    auto strides = t.strides();
    for (int i = 0; i < v.rank; ++i) v.stride[i] = strides[i];
  }
  v.data = static_cast<char *>(t.data_ptr());
  if (use_offset && v.data != nullptr) v.data += t.byte_offset();
  return v;
}

inline View view(const TensorView &t, const char *name, int rank)
{
  return view_of(t, name, rank, rank);
}

// Tensors in containers and options may be None where C++ says Tensor.
inline View view(const Tensor &t, const char *name, int rank)
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << " must be a tensor, and is None";
  return view_of(t, name, rank, rank);
}

inline void need_type(const View &v, std::initializer_list<DLDataType> types)
{
  for (DLDataType t : types) {
    if (same_type(v.dtype, t)) return;
  }
  std::string list;
  for (DLDataType t : types) list += (list.empty() ? "" : " or ") + type_name(t);
  TVM_FFI_THROW(TypeError) << v.name << " must be " << list << ", and is " << type_name(v.dtype);
}

inline void need_same_type(const View &v, const View &other)
{
  if (!same_type(v.dtype, other.dtype)) {
    TVM_FFI_THROW(TypeError) << v.name << " must be " << type_name(other.dtype) << " as "
                             << other.name << " is, and is " << type_name(v.dtype);
  }
}

inline void need_dense(const View &v)
{
  if (!v.dense()) TVM_FFI_THROW(ValueError) << v.name << " must be contiguous";
}

// The elements of the last dimension lie side by side; rows may be anywhere.
inline void need_rows(const View &v)
{
  if (v.numel() != 0 && v.shape[v.rank - 1] != 1 && v.stride[v.rank - 1] != 1) {
    TVM_FFI_THROW(ValueError) << v.name << " must have contiguous rows (a last stride of 1)";
  }
}

inline void need_extent(const View &v, int dim, int64_t extent, const char *what)
{
  if (v.shape[dim] != extent) {
    TVM_FFI_THROW(ValueError) << v.name << " has the shape " << v.shape_text() << ": extent " << dim
                              << " must be " << extent << " (" << what << ")";
  }
}

inline void need_shape(const View &v, const View &other)
{
  bool same = v.rank == other.rank;
  for (int i = 0; same && i < v.rank; ++i) same = v.shape[i] == other.shape[i];
  if (!same) {
    TVM_FFI_THROW(ValueError) << v.name << " must have the shape " << other.shape_text() << " of "
                              << other.name << ", and has " << v.shape_text();
  }
}

// The bytes from the first to behind the last that the view covers.
inline std::pair<uintptr_t, uintptr_t> span(const View &v)
{
  uintptr_t start = reinterpret_cast<uintptr_t>(v.data);
  if (v.numel() == 0) return {start, start};
  int64_t low = 0, high = 0, width = v.dtype.bits / 8;
  for (int i = 0; i < v.rank; ++i) {
    int64_t far = (v.shape[i] - 1) * v.stride[i];
    (far < 0 ? low : high) += far;
  }
  return {start + low * width, start + (high + 1) * width};
}

inline bool overlap(const View &a, const View &b)
{
  auto x = span(a), y = span(b);
  return x.first < y.second && y.first < x.second;
}

// ---- results and threads -------------------------------------------------------------------------

inline Tensor allocate(const std::vector<int64_t> &shape, DLDataType dtype, DLDevice device)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                              dtype, device);
}

template <typename T>
T *data_of(const Tensor &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// Runs body(part, begin, end) for each part of 0 to count, whose ends are multiples of step. The
// body must not throw. Where a thread can't be started, the caller does its part.
template <typename Body>
void in_parallel(int64_t threads, int64_t count, int64_t step, const Body &body)
{
  int64_t steps = (count + step - 1) / step;
  threads = std::max<int64_t>(1, std::min(threads, steps));
  std::vector<std::thread> team;
  team.reserve(static_cast<size_t>(threads));
  for (int64_t part = threads - 1; part >= 0; --part) {
    int64_t begin = steps * part / threads * step;
    int64_t end = std::min(count, steps * (part + 1) / threads * step);
    if (part != 0) {
      try {
        team.emplace_back([&body, part, begin, end] { body(part, begin, end); });
        continue;
      } catch (const std::exception &) {
      }
    }
    body(part, begin, end);
  }
  for (std::thread &t : team) t.join();
}

}  // namespace kit
