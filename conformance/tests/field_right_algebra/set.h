// SPDX-License-Identifier: Apache-2.0
// Views of strided host tensors, and small helpers, for all kernels of this folder.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace vx
{

namespace ffi = tvm::ffi;

enum class Num { F16, BF16, F32, F64, I8, U8, I32, I64, Bool };

inline bool NumOf(DLDataType t, Num *out)
{
  if (t.lanes != 1) return false;
  switch (t.code << 8 | t.bits) {
    case kDLFloat << 8 | 16:
      *out = Num::F16;
      return true;
    case kDLBfloat << 8 | 16:
      *out = Num::BF16;
      return true;
    case kDLFloat << 8 | 32:
      *out = Num::F32;
      return true;
    case kDLFloat << 8 | 64:
      *out = Num::F64;
      return true;
    case kDLInt << 8 | 8:
      *out = Num::I8;
      return true;
    case kDLUInt << 8 | 8:
      *out = Num::U8;
      return true;
    case kDLInt << 8 | 32:
      *out = Num::I32;
      return true;
    case kDLInt << 8 | 64:
      *out = Num::I64;
      return true;
    case kDLBool << 8 | 8:
      *out = Num::Bool;
      return true;
    default:
      return false;
  }
}

template <typename T>
T Peek(const char *at)
{
  T v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

template <typename T>
void Poke(char *at, T v)
{
  std::memcpy(at, &v, sizeof v);
}

inline double HalfValue(uint16_t h)
{
  const int e = h >> 10 & 31;
  const int m = h & 1023;
  const double a = e == 31  ? (m != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL)
                   : e == 0 ? std::ldexp(m, -24)
                            : std::ldexp(m + 1024, e - 25);
  return std::copysign(a, h & 0x8000 ? -1.0 : 1.0);
}

// Halves go to the even neighbour; all in double, so that nothing is rounded twice.
inline uint16_t HalfBits(double v)
{
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  const double a = std::fabs(v);
  if (std::isnan(a)) return 0x7e00;
  if (a >= 65520) return sign | 0x7c00;
  if (a < 6.103515625e-05) {
    return static_cast<uint16_t>(sign | static_cast<int>(std::nearbyint(std::ldexp(a, 24))));
  }
  int e;
  std::frexp(a, &e);                                                      // 2^(e-1) <= a < 2^e
  const int m = static_cast<int>(std::nearbyint(std::ldexp(a, 11 - e)));  // 1024 to 2048
  return static_cast<uint16_t>(sign | (((e + 14) << 10) + (m - 1024)));
}

inline double BrainValue(uint16_t b)
{
  const uint32_t w = static_cast<uint32_t>(b) << 16;
  float f;
  std::memcpy(&f, &w, 4);
  return f;
}

inline uint16_t BrainBits(double v)
{
  const float f = static_cast<float>(v);
  uint32_t w;
  std::memcpy(&w, &f, 4);
  if (std::isnan(f)) return 0x7fc0;
  return static_cast<uint16_t>((w + 0x7fff + (w >> 16 & 1)) >> 16);
}

struct View {
  char *base = nullptr;
  Num num = Num::F32;
  int64_t count = 1;
  std::vector<int64_t> shape;
  std::vector<int64_t> step;  // in bytes
  bool dense = true;

  template <typename... I>
  char *At(I... i) const
  {
    int64_t off = 0;
    size_t axis = 0;
    ((off += static_cast<int64_t>(i) * step[axis++]), ...);
    return base + off;
  }
  template <typename... I>
  double Get(I... i) const
  {
    const char *at = At(i...);
    switch (num) {
      case Num::F16:
        return HalfValue(Peek<uint16_t>(at));
      case Num::BF16:
        return BrainValue(Peek<uint16_t>(at));
      case Num::F32:
        return Peek<float>(at);
      case Num::F64:
        return Peek<double>(at);
      default:
        return static_cast<double>(Int(i...));
    }
  }
  template <typename... I>
  int64_t Int(I... i) const
  {
    const char *at = At(i...);
    switch (num) {
      case Num::I8:
        return Peek<int8_t>(at);
      case Num::I32:
        return Peek<int32_t>(at);
      case Num::I64:
        return Peek<int64_t>(at);
      default:
        return Peek<uint8_t>(at);
    }
  }
  template <typename... I>
  void Put(double v, I... i) const
  {
    char *at = At(i...);
    switch (num) {
      case Num::F16:
        Poke(at, HalfBits(v));
        break;
      case Num::BF16:
        Poke(at, BrainBits(v));
        break;
      case Num::F32:
        Poke(at, static_cast<float>(v));
        break;
      case Num::F64:
        Poke(at, v);
        break;
      case Num::I8:
        Poke(at, static_cast<int8_t>(v));
        break;
      case Num::I32:
        Poke(at, static_cast<int32_t>(v));
        break;
      case Num::I64:
        Poke(at, static_cast<int64_t>(v));
        break;
      default:
        Poke(at, static_cast<uint8_t>(v));
        break;
    }
  }
};

// A view of `t`, which must have `rank` dimensions and one of `types`, in the memory of the CPU.
inline View Look(const DLTensor *t, const char *name, int rank, std::initializer_list<Num> types)
{
  if (t == nullptr) TVM_FFI_THROW(TypeError) << name << ": a tensor is needed, not None";
  View v;
  if (!NumOf(t->dtype, &v.num) || std::find(types.begin(), types.end(), v.num) == types.end()) {
    TVM_FFI_THROW(TypeError) << name << ": data type not supported";
  }
  if (t->device.device_type != kDLCPU) TVM_FFI_THROW(ValueError) << name << ": not on the CPU";
  if (t->ndim != rank) {
    TVM_FFI_THROW(ValueError) << name << ": " << rank << " dimensions needed, not " << t->ndim;
  }
  v.dense = ffi::IsContiguous(*t);
  v.shape.assign(t->shape, t->shape + rank);
  v.step.resize(static_cast<size_t>(rank));
  const int64_t width = t->dtype.bits / 8;
  int64_t next = width;
  for (int i = rank - 1; i >= 0; --i) {
    const size_t a = static_cast<size_t>(i);
    const int64_t extent = v.shape[a];
    if (extent < 0 || __builtin_mul_overflow(v.count, extent, &v.count)) {
      TVM_FFI_THROW(ValueError) << name << ": bad extent " << extent;
    }
    v.step[a] = extent == 1 ? 0 : t->strides != nullptr ? t->strides[i] * width : next;
    if (extent > 0 && __builtin_mul_overflow(next, extent, &next)) {
      TVM_FFI_THROW(ValueError) << name << ": too large";
    }
  }
  if (v.count > 0) {
    if (t->data == nullptr) TVM_FFI_THROW(ValueError) << name << ": no data";
    v.base = static_cast<char *>(t->data) + t->byte_offset;
  }
  return v;
}

inline View Look(const ffi::Tensor &t, const char *name, int rank, std::initializer_list<Num> types)
{
  return Look(t.defined() ? t.GetDLTensorPtr() : nullptr, name, rank, types);
}

// The view has no way to its DLTensor: another one is made of its parts.
inline View Look(const ffi::TensorView &t, const char *name, int rank,
                 std::initializer_list<Num> types)
{
  DLTensor d{};
  d.data = t.data_ptr();
  d.device = t.device();
  d.ndim = t.ndim();
  d.dtype = t.dtype();
  d.shape = const_cast<int64_t *>(t.shape().data());
  if (!t.IsContiguous()) d.strides = const_cast<int64_t *>(t.strides().data());
  d.byte_offset = t.byte_offset();
  return Look(&d, name, rank, types);
}

inline void SameShape(const View &v, const char *name, std::initializer_list<int64_t> want)
{
  size_t i = 0;
  for (int64_t w : want) {
    if (v.shape[i] != w) {
      TVM_FFI_THROW(ValueError) << name << ": extent " << v.shape[i] << " in dimension " << i
                                << " should be " << w;
    }
    ++i;
  }
}

struct HostAlloc {
  void AllocData(DLTensor *t)
  {
    t->data = ::operator new (std::max<size_t>(1, ffi::GetDataSize(*t)), std::align_val_t{64});
  }
  void FreeData(DLTensor *t)
  {
    ::operator delete (t->data, std::align_val_t{64});
  }
};

// A new tensor on the CPU: of the framework that called, or of our own memory if there is none.
inline ffi::Tensor NewTensor(ffi::ShapeView shape, DLDataType type)
{
  const DLDevice cpu{kDLCPU, 0};
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() != nullptr) {
    return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, type, cpu);
  }
  return ffi::Tensor::FromNDAlloc(HostAlloc(), shape, type, cpu);
}

// Calls f(from, to, worker) for parts of 0 to n, on up to 4 threads. f must not throw.
template <typename F>
void Split(int64_t n, int64_t least, F f)
{
  const int64_t cores = std::max<int64_t>(1, std::thread::hardware_concurrency());
  const int64_t parts =
      std::max<int64_t>(1, std::min({int64_t{4}, cores, n / std::max<int64_t>(1, least)}));
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(parts));
  for (int64_t p = 1; p < parts; ++p) {
    const int64_t from = n * p / parts;
    const int64_t to = n * (p + 1) / parts;
    try {
      threads.emplace_back([=, &f] { f(from, to, p); });
    } catch (const std::exception &) {
      f(from, to, p);  // no thread to be had
    }
  }
  f(int64_t{0}, n / parts, int64_t{0});
  for (std::thread &t : threads) t.join();
}

}  // namespace vx
