// SPDX-License-Identifier: Apache-2.0
// Checks and helpers that all kernels of this folder share.
#pragma once
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::TensorView;
#define NEED(cond, Kind, text)                \
  do {                                        \
    if (!(cond)) TVM_FFI_THROW(Kind) << text; \
  } while (0)

enum Code { F16, BF16, F32, F64, I8, U8, I32, I64, BOOL };
inline DLDataType TypeOf(Code c)
{
  switch (c) {
    case F16:
      return {kDLFloat, 16, 1};
    case BF16:
      return {kDLBfloat, 16, 1};
    case F32:
      return {kDLFloat, 32, 1};
    case F64:
      return {kDLFloat, 64, 1};
    case I8:
      return {kDLInt, 8, 1};
    case U8:
      return {kDLUInt, 8, 1};
    case I32:
      return {kDLInt, 32, 1};
    case I64:
      return {kDLInt, 64, 1};
    default:
      return {kDLBool, 8, 1};
  }
}
inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline float HalfToFloat(uint16_t h)
{
  uint32_t s = (h & 0x8000u) << 16, e = (h >> 10) & 31, m = h & 1023, u;
  if (e == 31)
    u = s | 0x7f800000u | (m << 13);
  else if (e)
    u = s | ((e + 112) << 23) | (m << 13);
  else {
    float f = std::ldexp(float(m), -24);
    return s ? -f : f;
  }
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t FloatToHalf(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  uint16_t s = (u >> 16) & 0x8000;
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return s | 0x7e00;
  if (u >= 0x477ff000u) return s | 0x7c00;  // 65520 and more
  if (u < 0x38800000u) {                    // subnormal
    float a;
    std::memcpy(&a, &u, 4);
    return s | uint16_t(std::nearbyint(std::ldexp(double(a), 24)));
  }
  u += 0xfff + ((u >> 13) & 1);
  return s | uint16_t((u >> 13) - (112 << 10));
}
inline float BfToFloat(uint16_t h)
{
  uint32_t u = uint32_t(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}
inline uint16_t FloatToBf(float f)
{
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (u >> 16) | 0x40;
  return (u + 0x7fff + ((u >> 16) & 1)) >> 16;
}
template <typename X>
X Get(const char *p)
{
  X x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
template <typename X>
void Put(char *p, X x)
{
  std::memcpy(p, &x, sizeof x);
}
inline double Load(const char *p, Code c)
{
  switch (c) {
    case F16:
      return HalfToFloat(Get<uint16_t>(p));
    case BF16:
      return BfToFloat(Get<uint16_t>(p));
    case F32:
      return Get<float>(p);
    case F64:
      return Get<double>(p);
    case I8:
      return Get<int8_t>(p);
    case U8:
    case BOOL:
      return Get<uint8_t>(p);
    case I32:
      return Get<int32_t>(p);
    default:
      return double(Get<int64_t>(p));
  }
}
inline int64_t LoadInt(const char *p, Code c)
{
  return c == I64 ? Get<int64_t>(p) : Get<int32_t>(p);
}
// v as the nearest number with this many binary digits, ties to even, of a type whose least number is 2^least
inline double Round(double v, int digits, int least)
{
  if (v == 0 || !std::isfinite(v)) return v;
  int e;
  std::frexp(v, &e);
  double q = std::ldexp(1.0, std::max(e - digits, least));
  double r = std::nearbyint(v / q) * q;
  return r == 0 ? std::copysign(0.0, v) : r;
}

// Numbers are in the range of integer types when they come here.
inline void Store(char *p, Code c, double v)
{
  switch (c) {
    case F16:
      return Put(p, FloatToHalf(float(Round(v, 11, -24))));
    case BF16:
      return Put(p, FloatToBf(float(Round(v, 8, -133))));
    case F32:
      return Put(p, float(v));
    case F64:
      return Put(p, v);
    case I8:
      return Put(p, int8_t(v));
    case U8:
    case BOOL:
      return Put(p, uint8_t(v));
    case I32:
      return Put(p, int32_t(v));
    default:
      return Put(p, int64_t(v));
  }
}

enum Layout { CONTIGUOUS, ROWS, STRIDED };
struct Arr {
  char *data = nullptr;
  Code code = F32;
  int64_t item = 4, numel = 1;
  std::vector<int64_t> shape, stride;  // strides in bytes
  int ndim() const
  {
    return int(shape.size());
  }
  char *at(int64_t i) const
  {
    return data + i * stride[0];
  }
  char *at(int64_t i, int64_t j) const
  {
    return data + i * stride[0] + j * stride[1];
  }
  // Offset of the row with this number, over all dimensions but the last.
  char *row(int64_t r) const
  {
    int64_t off = 0;
    for (int k = ndim() - 2; k >= 0; --k) {
      off += (r % shape[k]) * stride[k];
      r /= shape[k];
    }
    return data + off;
  }
  // Address of the element with this number.
  char *flat(int64_t i) const
  {
    int64_t off = 0;
    for (int k = ndim() - 1; k >= 0; --k) {
      off += (i % shape[k]) * stride[k];
      i /= shape[k];
    }
    return data + off;
  }
  int64_t rows() const
  {
    int64_t r = 1;
    for (int k = 0; k + 1 < ndim(); ++k) r *= shape[k];
    return r;
  }
  int64_t step() const
  {
    return stride.back();
  }
};

// ndim: -1 for any number of dimensions, -2 for one at least.
inline Arr Check(const DLTensor *t, const char *name, std::vector<Code> codes, int ndim,
                 Layout layout, bool written = false)
{
  NEED(t != nullptr, TypeError, name << " must be a tensor");
  NEED(t->device.device_type == kDLCPU, ValueError, name << " must be on the CPU");
  Arr a;
  bool known = false;
  for (Code c : codes)
    if (Same(t->dtype, TypeOf(c))) {
      a.code = c;
      known = true;
    }
  NEED(known, TypeError,
       name << " has a data type that is not supported: " << ffi::DLDataTypeToString(t->dtype));
  NEED(ndim == -1 || (ndim == -2 ? t->ndim >= 1 : t->ndim == ndim), ValueError,
       name << " has a wrong number of dimensions: " << t->ndim);
  a.item = t->dtype.bits / 8;
  a.shape.assign(t->shape, t->shape + t->ndim);
  a.stride.resize(t->ndim);
  for (int64_t n : a.shape) NEED(n >= 0, ValueError, name << " has a negative extent");
  bool empty = false;
  for (int64_t n : a.shape) empty = empty || n == 0;
  int64_t next = 1;
  for (int k = t->ndim - 1; k >= 0; --k) {
    int64_t s = t->strides ? t->strides[k] : next;
    if (!empty && a.shape[k] > 1) {
      bool must = layout == CONTIGUOUS || (layout == ROWS && k == t->ndim - 1);
      NEED(!must || s == next, ValueError,
           name << " must be "
                << (layout == CONTIGUOUS ? "contiguous" : "contiguous in its last dimension"));
      NEED(!written || s != 0, ValueError, name << " is written, and must not be broadcast");
    }
    a.stride[k] = s * a.item;
    if (!empty) next *= a.shape[k];
  }
  a.numel = empty ? 0 : next;
  a.data = static_cast<char *>(t->data) + t->byte_offset;
  return a;
}
inline Arr Check(const TensorView &t, const char *name, std::vector<Code> codes, int ndim,
                 Layout layout, bool written = false)
{
  // Of contiguous tensors, strides may be NULL, which strides() does not take.
  return Check(ffi::AnyView(t).cast<DLTensor *>(), name, codes, ndim, layout, written);
}
inline Arr Check(const ffi::Tensor &t, const char *name, std::vector<Code> codes, int ndim,
                 Layout layout, bool written = false)
{
  NEED(t.defined(), TypeError, name << " must be a tensor, not None");
  return Check(t.GetDLTensorPtr(), name, codes, ndim, layout, written);
}
inline void Shaped(const Arr &a, const char *name, const std::vector<int64_t> &shape)
{
  NEED(a.shape == shape, ValueError, name << " has a wrong shape");
}
inline void SameType(const Arr &a, const Arr &b, const char *name)
{
  NEED(a.code == b.code, TypeError, name << " has another data type than the first tensor");
}
struct Malloc {
  void AllocData(DLTensor *t)
  {
    size_t n = (ffi::GetDataSize(*t) + 63) / 64 * 64;
    t->data = std::aligned_alloc(64, n ? n : 64);
    NEED(t->data, RuntimeError, "out of memory");
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};
// From the environment's allocator, or by malloc where there is none.
inline ffi::Tensor New(const std::vector<int64_t> &shape, Code code)
{
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() == nullptr)
    return ffi::Tensor::FromNDAlloc(Malloc(), ffi::ShapeView(shape.data(), shape.size()),
                                    TypeOf(code), DLDevice{kDLCPU, 0});
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                                   TypeOf(code), DLDevice{kDLCPU, 0});
}
inline char *Data(const ffi::Tensor &t)
{
  return static_cast<char *>(t.GetDLTensorPtr()->data) + t.GetDLTensorPtr()->byte_offset;
}
// A function that takes any number of arguments: BODY(args, number of args) -> Any
#define EXPORT_PACKED(NAME, BODY)                                                                  \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_##NAME(void *, const TVMFFIAny *args, int32_t n,     \
                                                     TVMFFIAny *result)                            \
  {                                                                                                \
    TVM_FFI_SAFE_CALL_BEGIN();                                                                     \
    *reinterpret_cast<ffi::Any *>(result) = BODY(reinterpret_cast<const ffi::AnyView *>(args), n); \
    TVM_FFI_SAFE_CALL_END();                                                                       \
  }
