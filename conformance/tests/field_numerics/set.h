// SPDX-License-Identifier: Apache-2.0
// What all kernels of this set share: checks of arguments, access to elements, 16 bit floats.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#define SET_CHECK(cond, Kind) \
  if (cond) {                 \
  } else /* NOLINT */         \
    TVM_FFI_THROW(Kind)

namespace set
{

namespace ffi = tvm::ffi;

constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kBF16{kDLBfloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};

// Types are equal with their lanes.
inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string Name(DLDataType t)
{
  const char *base = t.code == kDLInt      ? "int"
                     : t.code == kDLUInt   ? "uint"
                     : t.code == kDLFloat  ? "float"
                     : t.code == kDLBfloat ? "bfloat"
                     : t.code == kDLBool   ? "bool"
                                           : "code";
  std::string s = base;
  if (s == "code") s += std::to_string(static_cast<int>(t.code)) + "_";
  s += std::to_string(static_cast<int>(t.bits));
  if (t.lanes != 1) s += "x" + std::to_string(static_cast<int>(t.lanes));
  return s;
}

inline std::string Name(const int64_t *shape, int ndim)
{
  std::string s = "(";
  for (int i = 0; i < ndim; ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + ")";
}

inline int64_t Count(const DLTensor *t)
{
  for (int i = 0; i < t->ndim; ++i) {
    if (t->shape[i] == 0) return 0;
  }
  int64_t n = 1;
  for (int i = 0; i < t->ndim; ++i) n *= t->shape[i];
  return n;
}

// Distance of neighbours in a dimension, in elements; none given means compact.
inline int64_t Stride(const DLTensor *t, int dim)
{
  if (t->strides != nullptr) return t->strides[dim];
  int64_t s = 1;
  for (int i = t->ndim - 1; i > dim; --i) s *= t->shape[i];
  return s;
}

// The address of the first element.
template <typename T>
T *Data(const DLTensor *t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t->data) + t->byte_offset);
}

// What every tensor has to be: on the CPU, of one of these types, in sound memory.
inline void CheckTensor(const DLTensor *t, const char *name,
                        std::initializer_list<DLDataType> types)
{
  SET_CHECK(t != nullptr, TypeError) << name << " must be a tensor, not a null pointer";
  bool known = false;
  for (DLDataType d : types) known = known || Same(d, t->dtype);
  if (!known) {
    std::string list;
    for (DLDataType d : types) list += (list.empty() ? "" : " or ") + Name(d);
    TVM_FFI_THROW(TypeError) << name << " must be of " << list << ", not " << Name(t->dtype);
  }
  SET_CHECK(t->device.device_type == kDLCPU, ValueError)
      << name << " must be on the CPU, not on a device of type "
      << static_cast<int>(t->device.device_type);
  SET_CHECK(t->ndim >= 0 && (t->ndim == 0 || t->shape != nullptr), ValueError)
      << name << " has no shape";
  for (int i = 0; i < t->ndim; ++i) {
    SET_CHECK(t->shape[i] >= 0, ValueError)
        << name << " has a negative extent: " << Name(t->shape, t->ndim);
  }
  if (Count(t) > 0) {
    SET_CHECK(t->data != nullptr, ValueError) << name << " has no data";
    SET_CHECK(reinterpret_cast<uintptr_t>(Data<char>(t)) % (t->dtype.bits / 8) == 0, ValueError)
        << name << " is not aligned to its elements";
  }
}

inline void CheckRank(const DLTensor *t, const char *name, int ndim)
{
  SET_CHECK(t->ndim == ndim, ValueError)
      << name << " must have " << ndim << " dimensions, not " << t->ndim;
}

inline void CheckShape(const DLTensor *t, const char *name, std::initializer_list<int64_t> extents)
{
  CheckRank(t, name, static_cast<int>(extents.size()));
  SET_CHECK(std::equal(extents.begin(), extents.end(), t->shape), ValueError)
      << name << " must have the shape " << Name(extents.begin(), t->ndim) << ", not "
      << Name(t->shape, t->ndim);
}

inline void CheckSameShape(const DLTensor *t, const char *name, const DLTensor *as,
                           const char *other)
{
  SET_CHECK(t->ndim == as->ndim && std::equal(as->shape, as->shape + as->ndim, t->shape),
            ValueError)
      << name << " must have the shape of " << other << ", " << Name(as->shape, as->ndim)
      << ", not " << Name(t->shape, t->ndim);
}

// The stride of a dimension of one element means nothing, nor do those of an empty tensor.
inline bool CompactFrom(const DLTensor *t, int first)
{
  if (t->strides == nullptr || Count(t) == 0) return true;
  int64_t want = 1;
  for (int i = t->ndim - 1; i >= first; --i) {
    if (t->shape[i] != 1 && t->strides[i] != want) return false;
    want *= t->shape[i];
  }
  return true;
}

inline void CheckCompact(const DLTensor *t, const char *name)
{
  SET_CHECK(CompactFrom(t, 0), ValueError) << name << " must be contiguous";
}

inline void CheckRows(const DLTensor *t, const char *name)
{
  SET_CHECK(t->ndim > 0 && CompactFrom(t, t->ndim - 1), ValueError)
      << name << " must have the elements of its last dimension side by side";
}

// An output has to have its elements at different places.
inline void CheckNoOverlap(const DLTensor *t, const char *name)
{
  if (Count(t) == 0) return;
  std::vector<std::pair<int64_t, int64_t>> dims;
  for (int i = 0; i < t->ndim; ++i) {
    if (t->shape[i] > 1) dims.emplace_back(std::abs(Stride(t, i)), t->shape[i]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t span = 1;
  for (const auto &[stride, extent] : dims) {
    SET_CHECK(stride >= span, ValueError) << name << " must not overlap itself";
    span += (extent - 1) * stride;
  }
}

inline const DLTensor *Raw(const ffi::Optional<ffi::Tensor> &t)
{
  return t.has_value() ? t.value().GetDLTensorPtr() : nullptr;
}

inline ffi::Tensor NewTensor(ffi::ShapeView shape, DLDataType dtype)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, DLDevice{kDLCPU, 0});
}

// 16 bit floats: the bits, with conversions that round to the nearest, halves to even.
struct Half {
  uint16_t bits;
  Half() = default;
  explicit Half(double v) : Half(static_cast<float>(v))
  {
  }
  explicit Half(float v)
  {
    uint32_t u;
    std::memcpy(&u, &v, 4);
    uint16_t sign = static_cast<uint16_t>(u >> 16 & 0x8000);
    u &= 0x7fffffff;
    if (u > 0x7f800000) {
      bits = sign | 0x7e00;
    } else if (u >= 0x477ff000) {  // 65520 and more
      bits = sign | 0x7c00;
    } else if (u >= 0x38800000) {  // normal numbers
      u += 0xfff + (u >> 13 & 1);
      bits = static_cast<uint16_t>(sign | (u - 0x38000000) >> 13);
    } else {  // in steps of 2^-24
      float a;
      std::memcpy(&a, &u, 4);
      bits = static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(a * 16777216.0f)));
    }
  }
  explicit operator double() const
  {
    int e = bits >> 10 & 31;
    double m = bits & 1023;
    double v = e == 31  ? (m != 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : std::numeric_limits<double>::infinity())
               : e == 0 ? std::ldexp(m, -24)
                        : std::ldexp(m + 1024, e - 25);
    return bits & 0x8000 ? -v : v;
  }
};

struct BFloat {
  uint16_t bits;
  BFloat() = default;
  explicit BFloat(double v) : BFloat(static_cast<float>(v))
  {
  }
  explicit BFloat(float v)
  {
    uint32_t u;
    std::memcpy(&u, &v, 4);
    if (v != v) {
      bits = static_cast<uint16_t>(u >> 16 | 0x40);
    } else {
      bits = static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
  }
  explicit operator double() const
  {
    uint32_t u = static_cast<uint32_t>(bits) << 16;
    float v;
    std::memcpy(&v, &u, 4);
    return v;
  }
};

// Runs body(begin, end) for parts of 0..n in up to `threads` threads. What one of them throws is
// thrown again when all have ended.
template <typename F>
void Split(int64_t n, int64_t threads, const F &body)
{
  threads = std::max<int64_t>(1, std::min(threads, n));
  if (threads == 1) {
    if (n > 0) body(int64_t{0}, n);
    return;
  }
  std::exception_ptr failed;
  std::mutex lock;
  auto part = [&body, &failed, &lock](int64_t begin, int64_t end) {
    try {
      body(begin, end);
    } catch (...) {
      std::lock_guard<std::mutex> guard(lock);
      failed = std::current_exception();
    }
  };
  const int64_t each = n / threads, more = n % threads;
  int64_t at = 0;
  std::vector<std::thread> started;
  started.reserve(static_cast<size_t>(threads) - 1);
  for (int64_t i = 0; i < threads; ++i) {
    const int64_t end = at + each + (i < more ? 1 : 0);
    bool here = i + 1 == threads;
    if (!here) {
      try {
        started.emplace_back([&part, at, end] { part(at, end); });
      } catch (const std::exception &) {  // no more threads are to be had
        here = true;
      }
    }
    if (here) part(at, end);
    at = end;
  }
  for (std::thread &t : started) t.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace set
