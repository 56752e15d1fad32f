// SPDX-License-Identifier: Apache-2.0
// What the kernels here share, as the header of a vendor's library has it: checks of tensors, their elements,
// tensors from the environment's allocator. Compiled once for all of them, so nothing here depends on BUG.
#ifndef FIELD_H
#define FIELD_H

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
#include <string>
#include <thread>
#include <vector>

#define REQUIRE(condition, Kind) \
  if (!(condition)) TVM_FFI_THROW(Kind)

namespace field
{

namespace ffi = tvm::ffi;
using ffi::TensorView;

constexpr DLDataType kFloat32{kDLFloat, 32, 1};
constexpr DLDataType kFloat64{kDLFloat, 64, 1};
constexpr DLDataType kFloat16{kDLFloat, 16, 1};
constexpr DLDataType kBFloat16{kDLBfloat, 16, 1};
constexpr DLDataType kInt8{kDLInt, 8, 1};
constexpr DLDataType kInt32{kDLInt, 32, 1};
constexpr DLDataType kInt64{kDLInt, 64, 1};
constexpr DLDataType kUInt8{kDLUInt, 8, 1};
constexpr DLDataType kBool{kDLBool, 8, 1};
constexpr DLDevice kCPU{kDLCPU, 0};

inline bool Same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline int64_t Count(TensorView x)
{
  int64_t count = 1;
  for (int i = 0; i < x.ndim(); ++i) count *= x.size(i);
  return count;
}

// The address of the first element.
template <typename T>
T *Data(TensorView x)
{
  return reinterpret_cast<T *>(static_cast<char *>(x.data_ptr()) + x.byte_offset());
}

inline void RequireCPU(TensorView x, const char *name)
{
  REQUIRE(x.device().device_type == kDLCPU, ValueError) << name << " must be on the CPU";
}

inline void RequireDtype(TensorView x, DLDataType dtype, const char *name)
{
  REQUIRE(Same(x.dtype(), dtype), TypeError) << name << " has an unsupported dtype";
}

inline void RequireRank(TensorView x, int rank, const char *name)
{
  REQUIRE(x.ndim() == rank, ValueError)
      << name << " must have " << rank << " dimensions, not " << x.ndim();
}

inline void RequireDense(TensorView x, const char *name)
{
  REQUIRE(x.IsContiguous(), ValueError) << name << " must be contiguous";
  REQUIRE(Count(x) == 0 || x.data_ptr() != nullptr, ValueError) << name << " has no data";
  REQUIRE(reinterpret_cast<uintptr_t>(Data<char>(x)) % ((x.dtype().bits + 7u) / 8u) == 0,
          ValueError)
      << name << " is not aligned to its elements";
}

inline void RequireSameShape(TensorView x, TensorView y, const char *names)
{
  REQUIRE(x.ndim() == y.ndim(), ValueError) << names << " must have the same shape";
  for (int i = 0; i < x.ndim(); ++i)
    REQUIRE(x.size(i) == y.size(i), ValueError) << names << " must have the same shape";
}

// What most kernels want of a tensor.
inline void RequireTensor(TensorView x, DLDataType dtype, int rank, const char *name)
{
  RequireRank(x, rank, name);
  RequireDtype(x, dtype, name);
  RequireCPU(x, name);
  RequireDense(x, name);
}

inline ffi::Tensor NewTensor(ffi::Shape shape, DLDataType dtype, DLDevice device = kCPU)
{
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, device);
}

inline float FromBFloat16(uint16_t bits)
{
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

inline uint16_t ToBFloat16(float value)
{
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (value != value) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// Splits [0, count) among threads; each gets its part. Small work stays in the caller's thread.
template <typename Work>
void Parallel(int64_t count, int64_t grain, Work work)
{
  int64_t parts = std::min<int64_t>(4, count / grain);
  if (parts < 2) {
    work(0, count);
    return;
  }
  std::vector<std::thread> threads;
  for (int64_t part = 0; part < parts; ++part)
    threads.emplace_back(work, count * part / parts, count * (part + 1) / parts);
  for (std::thread &thread : threads) thread.join();
}

}  // namespace field

#endif
