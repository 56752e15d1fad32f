// SPDX-License-Identifier: Apache-2.0
// What the kernels of this vendor share. Compiled once for all of them: nothing here depends on BUG.
#ifndef KIT_H
#define KIT_H

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace kit
{

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Array;
using ffi::Bytes;
using ffi::Function;
using ffi::Map;
using ffi::Optional;
using ffi::Shape;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::Variant;

inline bool Is(TensorView t, int code, int bits)
{
  return t.dtype().code == code && t.dtype().bits == bits && t.dtype().lanes == 1;
}
inline bool IsF32(TensorView t)
{
  return Is(t, kDLFloat, 32);
}
inline bool IsI32(TensorView t)
{
  return Is(t, kDLInt, 32);
}
inline bool IsI64(TensorView t)
{
  return Is(t, kDLInt, 64);
}
inline bool SameDtype(TensorView a, TensorView b)
{
  return Is(b, a.dtype().code, a.dtype().bits) && a.dtype().lanes == 1;
}
inline DLDataType Dtype(int code, int bits)
{
  return DLDataType{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), 1};
}

inline void OnHost(TensorView t, const char *name)
{
  TVM_FFI_CHECK(t.device().device_type == kDLCPU, ValueError)
      << name << ": expected a tensor on the CPU";
}
inline void Rank(TensorView t, int ndim, const char *name)
{
  TVM_FFI_CHECK(t.ndim() == ndim, ValueError)
      << name << ": expected " << ndim << " dimensions, got " << t.ndim();
}
inline void Dense(TensorView t, const char *name)
{
  OnHost(t, name);
  TVM_FFI_CHECK(t.IsContiguous(), ValueError) << name << ": expected a contiguous tensor";
}
inline void Dense(TensorView t, int ndim, const char *name)
{
  Dense(t, name);
  Rank(t, ndim, name);
}
inline void Extent(TensorView t, int axis, int64_t extent, const char *name)
{
  TVM_FFI_CHECK(t.size(axis) == extent, ValueError)
      << name << ": expected extent " << extent << " in dimension " << axis << ", got "
      << t.size(axis);
}
inline void Typed(bool right, const char *name)
{
  TVM_FFI_CHECK(right, TypeError) << name << ": unsupported dtype";
}

inline int64_t Count(TensorView t)
{
  int64_t count = 1;
  for (int i = 0; i < t.ndim(); ++i) count *= t.size(i);
  return count;
}

template <typename T>
T *Data(TensorView t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

inline TensorView View(const Tensor &t)
{
  return TensorView(t);
}

// An element of a dense tensor of 32 or 64-bit integers.
inline int64_t IntAt(TensorView t, int64_t i)
{
  return t.dtype().bits == 64 ? Data<int64_t>(t)[i] : Data<int32_t>(t)[i];
}

inline Tensor New(Shape shape, DLDataType dtype)
{
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, DLDevice{kDLCPU, 0});
}

struct bfloat {
  uint16_t bits;
  bfloat() = default;
  bfloat(float f)
  {
    uint32_t u;
    std::memcpy(&u, &f, 4);
    bits = static_cast<uint16_t>(std::isnan(f) ? (u >> 16 | 0x40)
                                               : (u + 0x7fff + (u >> 16 & 1)) >> 16);
  }
  operator float() const
  {
    const uint32_t u = static_cast<uint32_t>(bits) << 16;
    float f;
    std::memcpy(&f, &u, 4);
    return f;
  }
};
using half = _Float16;

template <typename F>
void ForFloats(TensorView t, const char *name, F f)
{
  if (IsF32(t))
    f(float{});
  else if (Is(t, kDLFloat, 16))
    f(half{});
  else if (Is(t, kDLBfloat, 16))
    f(bfloat{});
  else
    Typed(false, name);
}

}  // namespace kit

#endif
