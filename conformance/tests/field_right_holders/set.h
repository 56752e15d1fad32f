// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

#define REQUIRE(cond, kind, text)             \
  do {                                        \
    if (!(cond)) TVM_FFI_THROW(kind) << text; \
  } while (0)

constexpr DLDataType F64{kDLFloat, 64, 1}, F32{kDLFloat, 32, 1}, F16{kDLFloat, 16, 1},
    BF16{kDLBfloat, 16, 1};
constexpr DLDataType I64{kDLInt, 64, 1}, I32{kDLInt, 32, 1}, I8{kDLInt, 8, 1}, U8{kDLUInt, 8, 1};
inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline bool whole(const DLTensor *t)
{
  return ffi::IsContiguous(*t);
}
inline int64_t count(const DLTensor *t)
{
  int64_t n = 1;
  for (int i = 0; i < t->ndim; ++i) n *= t->shape[i];
  return n;
}
// everything but the extents
inline void check(const DLTensor *t, const char *name, std::initializer_list<DLDataType> types,
                  int ndim)
{
  REQUIRE(t != nullptr, TypeError, name << " must be a tensor, not None");
  bool found = false;
  for (DLDataType d : types) found = found || same(d, t->dtype);
  REQUIRE(found, TypeError, name << " has an unsupported data type");
  REQUIRE(t->device.device_type == kDLCPU, ValueError, name << " must be on the CPU");
  REQUIRE(ndim < 0 || t->ndim == ndim, ValueError,
          name << " must have " << ndim << " dimensions, has " << t->ndim);
  for (int i = 0; i < t->ndim; ++i)
    REQUIRE(t->shape[i] >= 0, ValueError, name << " has a negative extent");
  REQUIRE(whole(t), ValueError, name << " must be contiguous");
}
inline const DLTensor *dl(const Tensor &t)
{
  return t.defined() ? t.GetDLTensorPtr() : nullptr;
}

struct Raw : DLTensor {
  explicit Raw(const TensorView &v) : DLTensor()
  {
    data = v.data_ptr();
    device = v.device();
    ndim = v.ndim();
    dtype = v.dtype();
    shape = const_cast<int64_t *>(v.shape().data());
    byte_offset = v.byte_offset();
    strides = nullptr;
    whole_ = v.IsContiguous();
  }
  bool whole_;
};
inline void check(const Raw &t, const char *name, std::initializer_list<DLDataType> types, int ndim)
{
  check(static_cast<const DLTensor *>(&t), name, types, ndim);
  REQUIRE(t.whole_, ValueError, name << " must be contiguous");
}
template <typename T>
inline T *data(const DLTensor *t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t->data) + t->byte_offset);
}

inline uint16_t narrow(double v, int ebits, int mbits)
{
  const int bias = (1 << (ebits - 1)) - 1;
  const uint32_t inf = ((1u << ebits) - 1) << mbits;
  uint32_t sign = std::signbit(v) ? 1u << (ebits + mbits) : 0;
  if (std::isnan(v)) return static_cast<uint16_t>(sign | inf | (1u << (mbits - 1)));
  double a = std::fabs(v);
  if (std::isinf(a)) return static_cast<uint16_t>(sign | inf);
  if (a == 0) return static_cast<uint16_t>(sign);
  int e;
  std::frexp(a, &e);
  e = e - 1 < 1 - bias ? 1 - bias : e - 1;
  if (e > bias) return static_cast<uint16_t>(sign | inf);
  uint32_t bits = (static_cast<uint32_t>(e + bias - 1) << mbits) +
                  static_cast<uint32_t>(std::nearbyint(std::ldexp(a, mbits - e)));
  return static_cast<uint16_t>(sign | (bits >= inf ? inf : bits));
}
inline double widen(uint16_t b, int ebits, int mbits)
{
  const int bias = (1 << (ebits - 1)) - 1;
  int e = (b >> mbits) & ((1 << ebits) - 1), m = b & ((1 << mbits) - 1);
  double v = e == (1 << ebits) - 1 ? (m ? NAN : INFINITY)
             : e == 0              ? std::ldexp(m, 1 - bias - mbits)
                                   : std::ldexp(m + (1 << mbits), e - bias - mbits);
  return (b >> (ebits + mbits)) & 1 ? -v : v;
}
inline double load(const DLTensor *t, int64_t i)
{
  if (same(t->dtype, F64)) return data<double>(t)[i];
  if (same(t->dtype, F32)) return data<float>(t)[i];
  if (same(t->dtype, F16)) return widen(data<uint16_t>(t)[i], 5, 10);
  if (same(t->dtype, BF16)) return widen(data<uint16_t>(t)[i], 8, 7);
  if (same(t->dtype, I64)) return static_cast<double>(data<int64_t>(t)[i]);
  if (same(t->dtype, I32)) return data<int32_t>(t)[i];
  if (same(t->dtype, I8)) return data<int8_t>(t)[i];
  return data<uint8_t>(t)[i];
}
inline int64_t as_int(double v)
{
  return v >= -9.2e18 && v <= 9.2e18 ? static_cast<int64_t>(v) : 0;
}
inline void store(const DLTensor *t, int64_t i, double v)
{
  if (same(t->dtype, F64))
    data<double>(t)[i] = v;
  else if (same(t->dtype, F32))
    data<float>(t)[i] = static_cast<float>(v);
  else if (same(t->dtype, F16))
    data<uint16_t>(t)[i] = narrow(v, 5, 10);
  else if (same(t->dtype, BF16))
    data<uint16_t>(t)[i] = narrow(v, 8, 7);
  else if (same(t->dtype, I64))
    data<int64_t>(t)[i] = as_int(v);
  else if (same(t->dtype, I32))
    data<int32_t>(t)[i] = static_cast<int32_t>(static_cast<uint64_t>(as_int(v)));
  else if (same(t->dtype, I8))
    data<int8_t>(t)[i] = static_cast<int8_t>(static_cast<uint64_t>(as_int(v)));
  else
    data<uint8_t>(t)[i] = static_cast<uint8_t>(static_cast<uint64_t>(as_int(v)));
}
inline Tensor alloc(const std::vector<int64_t> &shape, DLDataType dtype)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape.data(), shape.size()),
                              dtype, DLDevice{kDLCPU, 0});
}
template <typename F>
inline void threads(int64_t n, F &&body)
{
#pragma omp parallel for if (n > 65536)
  for (int64_t i = 0; i < n; ++i) body(i);
}
// an entry of a map of options: none if it is not there, or None
template <typename K>
inline Any entry(const Map<K, Any> &m, const K &key)
{
  auto it = m.find(key);
  return it == m.end() ? Any() : Any((*it).second);
}
