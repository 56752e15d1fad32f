// SPDX-License-Identifier: Apache-2.0
// Helpers that the kernels of this set have in common: checks of tensor arguments, allocation of
// results, conversion of half precision floats.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ffi = tvm::ffi;
using tvm::ffi::Array;
using tvm::ffi::Function;
using tvm::ffi::Map;
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;

constexpr DLDataType kF16{kDLFloat, 16, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kBool{kDLBool, 8, 1};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// A tensor argument with the name that its errors show. It refers to the caller's DLTensor.
class Arg
{
 public:
  Arg(const char *name, const DLTensor *t) : name_(name), t_(t)
  {
    if (t_ == nullptr) TVM_FFI_THROW(TypeError) << name_ << " must be a tensor, not a null pointer";
  }
  Arg(const char *name, const Tensor &t) : Arg(name, t.GetDLTensorPtr())
  {
  }

  const char *name() const
  {
    return name_;
  }
  DLDataType type() const
  {
    return t_->dtype;
  }
  DLDevice device() const
  {
    return t_->device;
  }
  bool Is(DLDataType d) const
  {
    return Same(t_->dtype, d);
  }
  int rank() const
  {
    return t_->ndim;
  }
  int64_t dim(int i) const
  {
    return t_->shape[i];
  }
  int64_t numel() const
  {
    int64_t n = 1;
    for (int i = 0; i < t_->ndim; ++i) n *= t_->shape[i];
    return n;
  }
  int64_t bytes() const
  {
    return numel() * ((t_->dtype.bits * t_->dtype.lanes + 7) / 8);
  }
  // The stride of a dimension in elements, also of a tensor that states none.
  int64_t stride(int i) const
  {
    if (t_->strides != nullptr) return t_->strides[i];
    int64_t s = 1;
    for (int k = t_->ndim - 1; k > i; --k) s *= t_->shape[k];
    return s;
  }
  template <typename T>
  T *data() const
  {
    return reinterpret_cast<T *>(static_cast<char *>(t_->data) + t_->byte_offset);
  }

  // The checks give the argument back, so that they can be chained.
  const Arg &Type(std::initializer_list<DLDataType> any_of) const
  {
    for (DLDataType d : any_of) {
      if (Is(d)) return *this;
    }
    TVM_FFI_THROW(TypeError) << name_ << " has a data type that is not supported (code "
                             << int(t_->dtype.code) << ", " << int(t_->dtype.bits) << " bits, "
                             << int(t_->dtype.lanes) << " lanes)";
    return *this;
  }
  const Arg &Rank(int ndim) const
  {
    if (t_->ndim != ndim) {
      TVM_FFI_THROW(ValueError) << name_ << " must have " << ndim << " dimensions, not "
                                << t_->ndim;
    }
    for (int i = 0; i < ndim; ++i) {
      if (t_->shape[i] < 0) TVM_FFI_THROW(ValueError) << name_ << " has a negative extent";
    }
    return *this;
  }
  const Arg &Extent(int i, int64_t n) const
  {
    if (t_->shape[i] != n) {
      TVM_FFI_THROW(ValueError) << name_ << ".shape[" << i << "] must be " << n << ", not "
                                << t_->shape[i];
    }
    return *this;
  }
  // In memory that the CPU reads, at an address that fits the elements.
  const Arg &Cpu() const
  {
    if (t_->device.device_type != kDLCPU) {
      TVM_FFI_THROW(ValueError) << name_ << " must be on the CPU";
    }
    if (numel() == 0) return *this;
    if (t_->data == nullptr) TVM_FFI_THROW(ValueError) << name_ << " has no data";
    const size_t size = (t_->dtype.bits + 7) / 8;
    if (size != 0 && (reinterpret_cast<uintptr_t>(t_->data) + t_->byte_offset) % size != 0) {
      TVM_FFI_THROW(ValueError) << name_ << " is not aligned to its elements";
    }
    return *this;
  }
  // The last `dims` dimensions lie side by side in memory; those before may be anywhere.
  const Arg &Packed(int dims) const
  {
    if (t_->strides == nullptr || numel() == 0) return *this;
    int64_t s = 1;
    for (int i = t_->ndim - 1; i >= t_->ndim - dims && i >= 0; --i) {
      if (t_->shape[i] != 1 && t_->strides[i] != s) {
        TVM_FFI_THROW(ValueError) << name_ << " must be "
                                  << (dims >= t_->ndim ? "contiguous" : "contiguous in each row");
      }
      s *= t_->shape[i];
    }
    return *this;
  }
  const Arg &Contiguous() const
  {
    return Packed(t_->ndim);
  }
  // Only of contiguous tensors.
  bool Overlaps(const Arg &o) const
  {
    const char *a = data<char>();
    const char *b = o.data<char>();
    return bytes() > 0 && o.bytes() > 0 && a < b + o.bytes() && b < a + bytes();
  }

 private:
  const char *name_;
  const DLTensor *t_;
};

// An integer of a tensor of int32 or int64.
class Ints
{
 public:
  explicit Ints(const Arg &a) : p_(a.data<char>()), wide_(a.type().bits == 64)
  {
  }
  int64_t operator[](int64_t i) const
  {
    return wide_ ? reinterpret_cast<const int64_t *>(p_)[i]
                 : reinterpret_cast<const int32_t *>(p_)[i];
  }

 private:
  const char *p_;
  bool wide_;
};

struct HeapAlloc {
  void AllocData(DLTensor *t)
  {
    const size_t size = (ffi::GetDataSize(*t) + 63) / 64 * 64 + 64;
    t->data = std::aligned_alloc(64, size);
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

// A new tensor: from the allocator of the frontend, if there is one.
inline Tensor NewTensor(std::initializer_list<int64_t> extents, DLDataType dtype, DLDevice device)
{
  ffi::Shape shape(extents.begin(), extents.end());
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() != nullptr) {
    return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, device);
  }
  return Tensor::FromNDAlloc(HeapAlloc(), shape, dtype, device);
}

// Half precision floats by their bits.
inline double HalfToDouble(uint16_t h)
{
  const int e = (h >> 10) & 31;
  const int m = h & 1023;
  double v;
  if (e == 31) {
    v = m != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    v = e == 0 ? std::ldexp(m, -24) : std::ldexp(1024 + m, e - 25);
  }
  return (h & 0x8000) != 0 ? -v : v;
}

inline uint16_t DoubleToHalf(double v)
{
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return sign | 0x7e00;
  const double a = std::fabs(v);
  if (a >= 65520) return sign | 0x7c00;
  if (a == 0) return sign;
  const int e = std::max(std::ilogb(a), -14);
  const int q = static_cast<int>(std::nearbyint(std::ldexp(a, 10 - e)));  // ties go to even
  return static_cast<uint16_t>(sign | (((e + 15) << 10) + (q - 1024)));
}

// The finalizer of splitmix64.
inline uint64_t Mix64(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
constexpr uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
