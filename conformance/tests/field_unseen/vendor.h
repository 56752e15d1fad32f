// SPDX-License-Identifier: Apache-2.0
// The header of the vendor whose kernels these are. Compiled once for all of them: nothing here depends on BUG.
#ifndef VENDOR_H
#define VENDOR_H

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace vendor
{

using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;
using tvm::ffi::Bytes;
using tvm::ffi::Function;
using tvm::ffi::Map;
using tvm::ffi::Optional;
using tvm::ffi::Shape;
using tvm::ffi::ShapeView;
using tvm::ffi::String;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;
using tvm::ffi::Variant;

#define CHECK_THAT(condition, Kind, message) \
  do {                                       \
    if (!(condition)) {                      \
      TVM_FFI_THROW(Kind) << message;        \
    }                                        \
  } while (0)

#define CHECK_CPU(x) \
  CHECK_THAT((x).device().device_type == kDLCPU, ValueError, #x " must be a CPU tensor")
#define CHECK_CONTIGUOUS(x) CHECK_THAT((x).IsContiguous(), ValueError, #x " must be contiguous")
#define CHECK_DIM(n, x) \
  CHECK_THAT((x).ndim() == (n), ValueError, #x " must be " #n "D, got " << (x).ndim() << "D")
#define CHECK_DTYPE(x, code, bits)                       \
  CHECK_THAT(IsType((x).dtype(), code, bits), TypeError, \
             #x " has unsupported dtype " << Spelled((x).dtype()))
#define CHECK_SIZE(x, axis, extent)                  \
  CHECK_THAT((x).size(axis) == (extent), ValueError, \
             #x ".shape[" << (axis) << "] must be " << (extent) << ", got " << (x).size(axis))
#define CHECK_INPUT(x) \
  CHECK_CPU(x);        \
  CHECK_CONTIGUOUS(x)

inline bool IsType(DLDataType t, int code, int bits)
{
  return t.code == code && t.bits == bits && t.lanes == 1;
}

inline bool SameType(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string Spelled(DLDataType t)
{
  return std::string(tvm::ffi::DLDataTypeToString(t));
}

inline DLDataType Type(int code, int bits)
{
  return DLDataType{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
}

inline int64_t NumElements(TensorView x)
{
  int64_t n = 1;
  for (int i = 0; i < x.ndim(); ++i) n *= x.size(i);
  return n;
}

template <typename T>
T *Ptr(TensorView x)
{
  return reinterpret_cast<T *>(static_cast<char *>(x.data_ptr()) + x.byte_offset());
}

inline Tensor Empty(Shape shape, DLDataType type, DLDevice device = DLDevice{kDLCPU, 0})
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, type, device);
}

struct bf16 {
  uint16_t bits;
  bf16() = default;
  bf16(float value)
  {
    uint32_t wide;
    std::memcpy(&wide, &value, 4);
    bits = value != value ? static_cast<uint16_t>((wide >> 16) | 0x40)
                          : static_cast<uint16_t>((wide + 0x7fff + ((wide >> 16) & 1)) >> 16);
  }
  operator float() const
  {
    uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
  }
};
using fp16 = _Float16;

// Calls f with a value of the C++ type of a floating dtype.
template <typename F>
void DispatchFloat(DLDataType t, const char *name, F f)
{
  if (IsType(t, kDLFloat, 32)) {
    f(float{});
  } else if (IsType(t, kDLFloat, 16)) {
    f(fp16{});
  } else if (IsType(t, kDLBfloat, 16)) {
    f(bf16{});
  } else {
    TVM_FFI_THROW(TypeError) << name << " has unsupported dtype " << Spelled(t);
  }
}

}  // namespace vendor

#endif
