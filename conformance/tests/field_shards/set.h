// SPDX-License-Identifier: Apache-2.0
// Helpers that the kernels of this folder share: checks of tensors, element conversion.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Array;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;

// ---------------------------------------------------------------- data types

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline bool Is(DLDataType t, int code, int bits)
{
  return t.code == code && t.bits == bits && t.lanes == 1;
}

inline bool IsF32(DLDataType t)
{
  return Is(t, kDLFloat, 32);
}
inline bool IsF16(DLDataType t)
{
  return Is(t, kDLFloat, 16);
}
inline bool IsBF16(DLDataType t)
{
  return Is(t, kDLBfloat, 16);
}
inline bool IsI32(DLDataType t)
{
  return Is(t, kDLInt, 32);
}
inline bool IsI64(DLDataType t)
{
  return Is(t, kDLInt, 64);
}
inline bool IsU8(DLDataType t)
{
  return Is(t, kDLUInt, 8);
}

inline DLDataType Type(int code, int bits)
{
  return DLDataType{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
}

inline std::string TypeName(DLDataType t)
{
  std::string name;
  switch (t.code) {
    case kDLInt:
      name = "int";
      break;
    case kDLUInt:
      name = "uint";
      break;
    case kDLFloat:
      name = "float";
      break;
    case kDLBfloat:
      name = "bfloat";
      break;
    default:
      name = "type code " + std::to_string(t.code) + ", bits ";
  }
  name += std::to_string(t.bits);
  if (t.lanes != 1) name += "x" + std::to_string(t.lanes);
  return name;
}

// ---------------------------------------------------------------- elements

inline float HalfToFloat(uint16_t h)
{
  uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  uint32_t exponent = (h >> 10) & 0x1fu;
  uint32_t fraction = h & 0x3ffu;
  uint32_t bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000u | (fraction << 13);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112) << 23) | (fraction << 13);
  } else {
    float f = std::ldexp(static_cast<float>(fraction), -24);
    std::memcpy(&bits, &f, 4);
    bits |= sign;
  }
  float out;
  std::memcpy(&out, &bits, 4);
  return out;
}

// Rounds to nearest, ties to even.
inline uint16_t FloatToHalf(float f)
{
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // below the least normal number: units of 2^-24
    float a;
    std::memcpy(&a, &magnitude, 4);
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(a * 16777216.0f)));
  }
  uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

inline float BrainToFloat(uint16_t b)
{
  uint32_t bits = static_cast<uint32_t>(b) << 16;
  float out;
  std::memcpy(&out, &bits, 4);
  return out;
}

inline uint16_t FloatToBrain(float f)
{
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

// Access to elements of float32, float16 or bfloat16 as float32.
enum class Real { kFloat32, kFloat16, kBfloat16 };

inline float Load(const void *data, int64_t i, Real kind)
{
  if (kind == Real::kFloat32) return static_cast<const float *>(data)[i];
  uint16_t bits = static_cast<const uint16_t *>(data)[i];
  return kind == Real::kFloat16 ? HalfToFloat(bits) : BrainToFloat(bits);
}

inline void Store(void *data, int64_t i, Real kind, float value)
{
  if (kind == Real::kFloat32) {
    static_cast<float *>(data)[i] = value;
  } else {
    static_cast<uint16_t *>(data)[i] =
        kind == Real::kFloat16 ? FloatToHalf(value) : FloatToBrain(value);
  }
}

// ---------------------------------------------------------------- tensors

inline int64_t Count(const TensorView &t)
{
  int64_t n = 1;
  for (int i = 0; i < t.ndim(); ++i) n *= t.shape()[i];
  return n;
}

// Strides in elements; a tensor without strides is compact.
inline std::vector<int64_t> Strides(const TensorView &t)
{
  std::vector<int64_t> strides(t.ndim());
  if (t.IsContiguous()) {
    int64_t step = 1;
    for (int i = t.ndim(); i-- > 0;) {
      strides[i] = step;
      step *= t.shape()[i];
    }
  } else {
    for (int i = 0; i < t.ndim(); ++i) strides[i] = t.strides()[i];
  }
  return strides;
}

// The first element, whatever the byte offset is.
inline void *Data(const TensorView &t)
{
  return static_cast<char *>(t.data_ptr()) + t.byte_offset();
}

template <typename T>
inline T *As(const TensorView &t)
{
  return static_cast<T *>(Data(t));
}

inline std::string ShapeText(const TensorView &t)
{
  std::string text = "(";
  for (int i = 0; i < t.ndim(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(t.shape()[i]);
  }
  return text + ")";
}

// What holds of every tensor: on the CPU, sane extents, memory of its own, aligned to elements.
// With rank < 0 any rank is taken.
inline void CheckBasics(const std::string &name, const TensorView &t, int rank)
{
  if (t.device().device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU, not on device type "
                              << static_cast<int>(t.device().device_type);
  }
  if (rank >= 0 && t.ndim() != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, not " << t.ndim();
  }
  bool empty = false;
  int64_t bits = 64;
  for (int i = 0; i < t.ndim(); ++i) {
    if (t.shape()[i] < 0) {
      TVM_FFI_THROW(ValueError) << name << " has a negative extent: " << ShapeText(t);
    }
    if (t.shape()[i] == 0) empty = true;
  }
  for (int i = 0; i < t.ndim() && !empty; ++i) {
    if (__builtin_mul_overflow(bits, t.shape()[i], &bits)) {
      TVM_FFI_THROW(ValueError) << name << " is too large: " << ShapeText(t);
    }
  }
  if (empty) return;
  if (t.data_ptr() == nullptr) TVM_FFI_THROW(ValueError) << name << " has no data";
  size_t bytes = (static_cast<size_t>(t.dtype().bits) * t.dtype().lanes + 7) / 8;
  if (bytes != 0 && (bytes & (bytes - 1)) == 0 &&
      reinterpret_cast<uintptr_t>(Data(t)) % bytes != 0) {
    TVM_FFI_THROW(ValueError) << name << " must be aligned to its elements of " << bytes
                              << " bytes";
  }
}

inline void CheckCompact(const std::string &name, const TensorView &t)
{
  for (int i = 0; i < t.ndim(); ++i) {
    if (t.shape()[i] == 0) return;
  }
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

// Elements of the last dimension lie side by side.
inline void CheckRows(const std::string &name, const TensorView &t)
{
  int last = t.ndim() - 1;
  if (last < 0 || t.IsContiguous() || t.shape()[last] == 1) return;
  for (int i = 0; i < t.ndim(); ++i) {
    if (t.shape()[i] == 0) return;
  }
  if (t.strides()[last] != 1) {
    TVM_FFI_THROW(ValueError) << name << " must have a stride of 1 in its last dimension";
  }
}

inline void CheckExtent(const std::string &name, const TensorView &t, int dim, int64_t want,
                        const char *what)
{
  if (t.shape()[dim] != want) {
    TVM_FFI_THROW(ValueError) << name << " has shape " << ShapeText(t) << ": dimension " << dim
                              << " must be " << want << " (" << what << ")";
  }
}

inline void CheckType(const std::string &name, const TensorView &t, DLDataType want)
{
  if (!Same(t.dtype(), want)) {
    TVM_FFI_THROW(TypeError) << name << " must be of " << TypeName(want) << ", not "
                             << TypeName(t.dtype());
  }
}

inline Real CheckReal(const std::string &name, const TensorView &t)
{
  if (IsF32(t.dtype())) return Real::kFloat32;
  if (IsF16(t.dtype())) return Real::kFloat16;
  if (IsBF16(t.dtype())) return Real::kBfloat16;
  TVM_FFI_THROW(TypeError) << name << " must be of float32, float16 or bfloat16, not "
                           << TypeName(t.dtype());
  TVM_FFI_UNREACHABLE();
}

// The view does not hold the tensor: the argument does.
inline TensorView View(const Tensor &t, const std::string &name = "tensor")
{
  if (!t.defined()) TVM_FFI_THROW(TypeError) << name << " must be a tensor, not None";
  return TensorView(t);
}

inline Tensor Allocate(const std::vector<int64_t> &shape, DLDataType dtype, DLDevice device)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                              dtype, device);
}

}  // namespace set
