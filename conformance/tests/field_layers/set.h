// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common: element types, checks of tensors, threads.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
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
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;

// ---- element types ---------------------------------------------------------------------------

struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

inline float BitsToFloat(uint32_t u)
{
  float f;
  std::memcpy(&f, &u, sizeof f);
  return f;
}
inline uint32_t FloatToBits(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, sizeof u);
  return u;
}

inline double Get(double v)
{
  return v;
}
inline double Get(float v)
{
  return v;
}
inline double Get(int8_t v)
{
  return v;
}
inline double Get(BFloat16 v)
{
  return BitsToFloat(uint32_t{v.bits} << 16);
}
inline double Get(Half v)
{
  const int exponent = v.bits >> 10 & 31;
  const int fraction = v.bits & 1023;
  double value;
  if (exponent == 31) {
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024, exponent - 25);
  }
  return v.bits >> 15 ? -value : value;
}

template <typename T>
struct Make {  // rounds a double to T, to nearest, ties to even
  static T From(double v)
  {
    return static_cast<T>(v);
  }
};
template <>
struct Make<BFloat16> {
  static BFloat16 From(double v)
  {
    if (std::isnan(v)) return {0x7fc0};
    float f = static_cast<float>(v);
    // round to odd first, so that rounding twice is as good as once
    if (std::isfinite(f) && f != v) {
      uint32_t u = FloatToBits(f);
      if (std::fabs(static_cast<double>(f)) > std::fabs(v)) --u;
      f = BitsToFloat(u | 1);
    }
    uint32_t u = FloatToBits(f);
    if (!std::isinf(f)) u += 0x7fff + (u >> 16 & 1);
    return {static_cast<uint16_t>(u >> 16)};
  }
};
template <>
struct Make<Half> {
  static Half From(double v)
  {
    const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
    const double size = std::fabs(v);
    if (std::isnan(v)) return {static_cast<uint16_t>(sign | 0x7e00)};
    if (size >= 65520) return {static_cast<uint16_t>(sign | 0x7c00)};
    if (size < std::ldexp(1.0, -14)) {  // subnormal: multiples of 2^-24
      return {static_cast<uint16_t>(sign | static_cast<int>(std::nearbyint(size * 16777216.0)))};
    }
    int exponent;
    const double fraction = std::frexp(size, &exponent);                   // in [0.5, 1)
    const int digits = static_cast<int>(std::nearbyint(fraction * 2048));  // 1024..2048
    return {static_cast<uint16_t>(sign | (((exponent + 13) << 10) + digits))};
  }
};

enum class Type { kF16, kBF16, kF32, kF64, kI8, kU8, kI32, kI64, kOther };

inline Type TypeOf(DLDataType t)
{
  if (t.lanes != 1) return Type::kOther;
  const int key = t.code * 256 + t.bits;
  if (key == kDLFloat * 256 + 16) return Type::kF16;
  if (key == kDLBfloat * 256 + 16) return Type::kBF16;
  if (key == kDLFloat * 256 + 32) return Type::kF32;
  if (key == kDLFloat * 256 + 64) return Type::kF64;
  if (key == kDLInt * 256 + 8) return Type::kI8;
  if (key == kDLUInt * 256 + 8) return Type::kU8;
  if (key == kDLInt * 256 + 32) return Type::kI32;
  if (key == kDLInt * 256 + 64) return Type::kI64;
  return Type::kOther;
}

inline const char *NameOf(Type t)
{
  static const char *const names[] = {"float16", "bfloat16", "float32", "float64", "int8",
                                      "uint8",   "int32",    "int64",   "other"};
  return names[static_cast<int>(t)];
}

inline size_t BytesOf(Type t)
{
  static const size_t bytes[] = {2, 2, 4, 8, 1, 1, 4, 8, 1};
  return bytes[static_cast<int>(t)];
}

// ---- tensors ---------------------------------------------------------------------------------

enum class Layout { kContiguous, kRows, kStrided };

// A tensor argument that was checked for device, data type, rank, layout and alignment.
class Arg
{
 public:
  Arg(const DLTensor *t, std::string name, std::initializer_list<Type> types, int ndim,
      Layout layout = Layout::kContiguous)
      : t_(t), name_(std::move(name))
  {
    if (t == nullptr) TVM_FFI_THROW(ValueError) << name_ << " must not be a null tensor";
    type_ = TypeOf(t->dtype);
    if (type_ == Type::kOther || std::find(types.begin(), types.end(), type_) == types.end()) {
      std::string all;
      for (Type each : types) all += std::string(all.empty() ? "" : ", ") + NameOf(each);
      TVM_FFI_THROW(TypeError) << name_ << " must have data type " << all << ", not code "
                               << int{t->dtype.code} << ", bits " << int{t->dtype.bits}
                               << ", lanes " << t->dtype.lanes;
    }
    if (t->device.device_type != kDLCPU) {
      TVM_FFI_THROW(ValueError) << name_ << " must be on the CPU, not on a device of type "
                                << static_cast<int>(t->device.device_type);
    }
    if (t->ndim < 0 || (ndim >= 0 && t->ndim != ndim)) {
      TVM_FFI_THROW(ValueError) << name_ << " must have " << ndim << " dimensions, not " << t->ndim;
    }
    numel_ = 1;
    for (int i = 0; i < t->ndim; ++i) {
      if (t->shape[i] < 0) TVM_FFI_THROW(ValueError) << name_ << " has a negative extent";
      if (t->shape[i] == 0) numel_ = 0;
    }
    for (int i = 0; i < t->ndim; ++i) {
      if (__builtin_mul_overflow(numel_, t->shape[i], &numel_)) {
        TVM_FFI_THROW(ValueError) << name_ << " has too many elements";
      }
    }
    if (numel_ != 0) {
      if (t->data == nullptr) TVM_FFI_THROW(ValueError) << name_ << " has no data";
      if (reinterpret_cast<uintptr_t>(base()) % BytesOf(type_) != 0) {
        TVM_FFI_THROW(ValueError) << name_ << " must be aligned to its elements";
      }
      if (layout != Layout::kStrided) {
        int64_t expected = 1;
        for (int i = t->ndim - 1; i >= (layout == Layout::kRows ? t->ndim - 1 : 0); --i) {
          if (t->shape[i] != 1 && stride(i) != expected) {
            TVM_FFI_THROW(ValueError)
                << name_
                << (layout == Layout::kRows ? " must have its last dimension side by side"
                                            : " must be contiguous");
          }
          expected *= t->shape[i];
        }
      }
    }
  }

  const std::string &name() const
  {
    return name_;
  }
  Type type() const
  {
    return type_;
  }
  int ndim() const
  {
    return t_->ndim;
  }
  int64_t numel() const
  {
    return numel_;
  }
  int64_t size(int i) const
  {
    return t_->shape[i];
  }
  int64_t stride(int i) const
  {
    if (t_->strides != nullptr) return t_->strides[i];
    int64_t s = 1;
    for (int k = t_->ndim - 1; k > i; --k) s *= t_->shape[k];
    return s;
  }
  char *base() const
  {
    return static_cast<char *>(t_->data) + t_->byte_offset;
  }
  template <typename T>
  T *as() const
  {
    return reinterpret_cast<T *>(base());
  }
  const DLTensor *raw() const
  {
    return t_;
  }

  void Extent(int i, int64_t expected, const char *meaning) const
  {
    if (t_->shape[i] != expected) {
      TVM_FFI_THROW(ValueError) << name_ << " must have extent " << expected << " (" << meaning
                                << ") in dimension " << i << ", not " << t_->shape[i];
    }
  }
  void SameShape(const Arg &other) const
  {
    bool same = t_->ndim == other.t_->ndim;
    for (int i = 0; same && i < t_->ndim; ++i) same = t_->shape[i] == other.t_->shape[i];
    if (!same) TVM_FFI_THROW(ValueError) << name_ << " must have the shape of " << other.name_;
  }
  void SameType(const Arg &other) const
  {
    if (type_ != other.type_) {
      TVM_FFI_THROW(TypeError) << name_ << " must have the data type of " << other.name_ << ", "
                               << NameOf(other.type_) << ", not " << NameOf(type_);
    }
  }
  // Of an output of rank 2 in layout "rows": no two rows may share elements.
  void RowsApart() const
  {
    if (numel_ != 0 && t_->shape[0] > 1 && std::llabs(stride(0)) < t_->shape[1]) {
      TVM_FFI_THROW(ValueError) << name_ << " has rows that overlap";
    }
  }

 private:
  const DLTensor *t_;
  std::string name_;
  Type type_;
  int64_t numel_;
};

inline const DLTensor *Pointer(const ffi::Tensor &t)
{
  return t.GetDLTensorPtr();
}

template <typename F>
void WithFloat(Type type, F &&f)
{
  switch (type) {
    case Type::kF16:
      return f(Half{});
    case Type::kBF16:
      return f(BFloat16{});
    case Type::kF32:
      return f(float{});
    case Type::kF64:
      return f(double{});
    default:
      TVM_FFI_THROW(InternalError) << "not a float type";
  }
}

template <typename F>
void WithIndex(Type type, F &&f)
{
  if (type == Type::kI32) return f(int32_t{});
  return f(int64_t{});
}

inline void Finite(double v, const char *name)
{
  if (!std::isfinite(v)) TVM_FFI_THROW(ValueError) << name << " must be finite, not " << v;
}

// ---- threads ---------------------------------------------------------------------------------

// Calls f(begin, end, part) for up to `parts` parts of 0..n, each in a thread of its own, and
// raises the first error of any of them when all are done.
template <typename F>
void ParallelFor(int64_t n, int64_t parts, F &&f)
{
  parts = std::max<int64_t>(1, std::min(parts, n));
  const int64_t chunk = (n + parts - 1) / parts;
  std::vector<std::exception_ptr> errors(parts);
  auto run = [&](int64_t part) {
    try {
      const int64_t begin = std::min(n, part * chunk);
      const int64_t end = std::min(n, begin + chunk);
      if (begin < end) f(begin, end, static_cast<int>(part));
    } catch (...) {
      errors[part] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(parts);
  int64_t own = 1;  // parts that run in the thread of the caller: 0 and those without a thread
  for (int64_t part = parts - 1; part >= 1; --part) {
    try {
      threads.emplace_back(run, part);
    } catch (const std::system_error &) {
      own = part + 1;
      break;
    }
  }
  for (int64_t part = 0; part < own; ++part) run(part);
  for (std::thread &t : threads) t.join();
  for (const std::exception_ptr &e : errors) {
    if (e) std::rethrow_exception(e);
  }
}

// ---- results ---------------------------------------------------------------------------------

struct HostAlloc {
  void AllocData(DLTensor *t)
  {
    size_t bytes = (t->dtype.bits * t->dtype.lanes + 7) / 8;
    for (int i = 0; i < t->ndim; ++i) bytes *= static_cast<size_t>(t->shape[i]);
    bytes = (std::max<size_t>(bytes, 1) + 63) / 64 * 64;
    t->data = std::aligned_alloc(64, bytes);
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

}  // namespace set
