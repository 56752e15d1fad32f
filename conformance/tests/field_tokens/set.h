// SPDX-License-Identifier: Apache-2.0
// Helpers that the host kernels of this package share.
#pragma once

// One by one, since older releases have no tvm/ffi/tvm_ffi.h.
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
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

namespace host
{

namespace ffi = ::tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;

constexpr DLDataType kBool{kDLBool, 8, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string NameOf(DLDataType t)
{
  std::string s = t.code == kDLInt      ? "int"
                  : t.code == kDLUInt   ? "uint"
                  : t.code == kDLFloat  ? "float"
                  : t.code == kDLBfloat ? "bfloat"
                  : t.code == kDLBool   ? "bool"
                                        : "type" + std::to_string(t.code) + "_";
  if (t.code != kDLBool || t.bits != 8) s += std::to_string(t.bits);
  if (t.lanes != 1) s += "x" + std::to_string(t.lanes);
  return s;
}

inline void CheckType(const TensorView &t, const char *name,
                      std::initializer_list<DLDataType> allowed)
{
  for (DLDataType a : allowed) {
    if (Same(t.dtype(), a)) return;
  }
  std::string known;
  for (DLDataType a : allowed) known += (known.empty() ? "" : " or ") + NameOf(a);
  TVM_FFI_THROW(TypeError) << name << " must be a tensor of " << known << ", got "
                           << NameOf(t.dtype());
}

inline void CheckRank(const TensorView &t, const char *name, int rank)
{
  if (t.ndim() != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, got " << t.ndim();
  }
}

inline void CheckExtent(const TensorView &t, const char *name, int axis, int64_t extent)
{
  if (t.size(axis) != extent) {
    TVM_FFI_THROW(ValueError) << name << " must have extent " << extent << " along axis " << axis
                              << ", got " << t.size(axis);
  }
}

inline void CheckDevice(const TensorView &t, const char *name)
{
  if (t.device().device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  }
}

inline bool Compact(const TensorView &t)
{
  return t.numel() == 0 || t.IsContiguous();
}

inline void CheckCompact(const TensorView &t, const char *name)
{
  if (!Compact(t)) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

// The first element; the offset that views carry is part of it.
template <typename T>
T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// Memory that elements can be read from: not null, and aligned to an element.
inline void CheckMemory(const TensorView &t, const char *name)
{
  if (t.numel() == 0) return;
  if (t.data_ptr() == nullptr) TVM_FFI_THROW(ValueError) << name << " has no memory";
  if (reinterpret_cast<uintptr_t>(Data<char>(t)) % (t.dtype().bits / 8) != 0) {
    TVM_FFI_THROW(ValueError) << name << " must be aligned to its elements";
  }
}

// Stride of an axis in elements, of tensors without strides too.
inline int64_t Stride(const TensorView &t, int axis)
{
  if (!Compact(t)) return t.stride(axis);
  int64_t stride = 1;
  for (int i = t.ndim() - 1; i > axis; --i) stride *= t.size(i);
  return stride;
}

// All checks of a dense host tensor but those of its extents.
inline void CheckDense(const TensorView &t, const char *name, int rank,
                       std::initializer_list<DLDataType> allowed)
{
  CheckType(t, name, allowed);
  CheckRank(t, name, rank);
  CheckDevice(t, name);
  CheckCompact(t, name);
  CheckMemory(t, name);
}

inline Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  std::vector<int64_t> extents(shape);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(extents.data(), extents.size()),
                              dtype, DLDevice{kDLCPU, 0});
}

template <typename T>
Tensor NewVector(const std::vector<T> &from, DLDataType dtype)
{
  Tensor t = NewTensor({static_cast<int64_t>(from.size())}, dtype);
  if (!from.empty()) std::memcpy(Data<T>(TensorView(t)), from.data(), from.size() * sizeof(T));
  return t;
}

inline Array<int64_t> NewArray(const std::vector<int64_t> &from)
{
  Array<int64_t> a;
  a.reserve(static_cast<int64_t>(from.size()));
  for (int64_t v : from) a.push_back(v);
  return a;
}

inline std::vector<int64_t> Numbers(const Array<int64_t> &from)
{
  std::vector<int64_t> v;
  v.reserve(from.size());
  for (int64_t i : from) v.push_back(i);
  return v;
}

// A number rounded to a float of 16 bits (half to even), given its fraction's bits and exponents.
inline uint16_t Round16(double x, int fraction, int least, int most)
{
  const int width = 15 - fraction;
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const uint16_t infinite = static_cast<uint16_t>(((1 << width) - 1) << fraction);
  if (std::isnan(x)) return static_cast<uint16_t>(sign | infinite | (1 << (fraction - 1)));
  x = std::fabs(x);
  if (std::isinf(x)) return sign | infinite;
  if (x == 0) return sign;
  const int exponent = std::max(std::ilogb(x), least);
  if (exponent > most) return sign | infinite;
  // In units of the last bit. The hidden bit adds one to the exponent where there is one, and so
  // does a number that rounds up to the next power of two.
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(x, fraction - exponent)));
  const uint32_t bits = (static_cast<uint32_t>(exponent - least) << fraction) + units;
  return static_cast<uint16_t>(sign | std::min<uint32_t>(bits, infinite));
}

inline uint16_t ToHalf(double x)
{
  return Round16(x, 10, -14, 15);
}
inline uint16_t ToBfloat(double x)
{
  return Round16(x, 7, -126, 127);
}

// Options: maps from names to values. None is as if left out.
inline void CheckKeys(const Map<String, Any> &options, const char *name,
                      std::initializer_list<const char *> known)
{
  for (const auto &entry : options) {
    const String key = entry.first;
    bool found = false;
    for (const char *k : known) found = found || key == k;
    if (!found) {
      TVM_FFI_THROW(ValueError) << name
                                << " has an unknown key: " << std::string(key.data(), key.size());
    }
  }
}

template <typename T>
std::optional<T> Option(const Map<String, Any> &options, const char *name, const char *key,
                        const char *type)
{
  auto it = options.find(String(key));
  if (it == options.end()) return std::nullopt;
  const Any value = (*it).second;
  if (value == nullptr) return std::nullopt;
  std::optional<T> got = value.template try_cast<T>();
  if (!got.has_value()) {
    TVM_FFI_THROW(TypeError) << name << "[\"" << key << "\"] must be " << type;
  }
  return got;
}

}  // namespace host
