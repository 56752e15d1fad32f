// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder have in common: checks of tensors, types, and a loop on threads.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
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
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

// Throws an error of the named kind unless the condition holds: SET_REQUIRE(k > 0, ValueError) << ...
#define SET_REQUIRE(cond, Kind) \
  if (cond) {                   \
  } else                        \
    TVM_FFI_THROW(Kind)

inline bool IsType(DLDataType t, int code, int bits)
{
  return t.code == code && t.bits == bits && t.lanes == 1;
}
inline bool IsFloat32(DLDataType t)
{
  return IsType(t, kDLFloat, 32);
}
inline bool IsFloat64(DLDataType t)
{
  return IsType(t, kDLFloat, 64);
}
inline bool IsInt32(DLDataType t)
{
  return IsType(t, kDLInt, 32);
}
inline bool IsInt64(DLDataType t)
{
  return IsType(t, kDLInt, 64);
}
inline bool SameType(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

inline std::string ShapeText(const TensorView &t)
{
  std::string s = "(";
  for (int i = 0; i < t.ndim(); ++i) {
    s += (i ? ", " : "") + std::to_string(static_cast<long long>(t.shape()[i]));
  }
  return s + ")";
}

inline bool IsEmpty(const TensorView &t)
{
  for (int i = 0; i < t.ndim(); ++i) {
    if (t.shape()[i] == 0) return true;
  }
  return false;
}

// The address of the first element.
template <typename T>
T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// Strides in elements, also where the tensor has none of its own.
inline std::vector<int64_t> Strides(const TensorView &t)
{
  std::vector<int64_t> s(static_cast<size_t>(t.ndim()), 1);
  if (t.IsContiguous()) {
    for (int i = t.ndim() - 2; i >= 0; --i) s[i] = s[i + 1] * t.shape()[i + 1];
  } else {
    for (int i = 0; i < t.ndim(); ++i) s[i] = t.strides()[i];
  }
  return s;
}

inline void CheckCpu(const TensorView &t, const char *name)
{
  SET_REQUIRE(t.device().device_type == kDLCPU, ValueError)
      << "`" << name << "` must be on the CPU, but its device type is "
      << static_cast<int>(t.device().device_type);
}

inline void CheckRank(const TensorView &t, const char *name, int rank)
{
  SET_REQUIRE(t.ndim() == rank, ValueError)
      << "`" << name << "` must have " << rank << " dimensions, but its shape is " << ShapeText(t);
}

inline void CheckShape(const TensorView &t, const char *name, std::initializer_list<int64_t> shape)
{
  bool same = t.ndim() == static_cast<int>(shape.size());
  int i = 0;
  std::string want;
  for (int64_t n : shape) {
    same = same && t.shape()[i] == n;
    want += (i++ ? ", " : "") + std::to_string(static_cast<long long>(n));
  }
  SET_REQUIRE(same, ValueError) << "`" << name << "` must have the shape (" << want << "), but has "
                                << ShapeText(t);
}

// Data must be aligned to its element; an empty tensor may have no data.
inline void CheckAligned(const TensorView &t, const char *name)
{
  if (IsEmpty(t)) return;
  uintptr_t at = reinterpret_cast<uintptr_t>(Data<char>(t));
  SET_REQUIRE(at % (t.dtype().bits / 8) == 0, ValueError)
      << "`" << name << "` must be aligned to its elements of " << t.dtype().bits / 8 << " bytes";
}

inline void CheckContiguous(const TensorView &t, const char *name)
{
  SET_REQUIRE(t.IsContiguous(), ValueError) << "`" << name << "` must be contiguous";
  CheckAligned(t, name);
}

// Elements of the last dimension lie side by side; rows may be anywhere.
inline void CheckRows(const TensorView &t, const char *name)
{
  int last = t.ndim() - 1;
  bool ok = t.IsContiguous() || IsEmpty(t) || t.shape()[last] == 1 || t.strides()[last] == 1;
  SET_REQUIRE(ok, ValueError) << "the last dimension of `" << name << "` must be contiguous";
  CheckAligned(t, name);
}

inline void CheckFloat(const TensorView &t, const char *name)
{
  SET_REQUIRE(IsFloat32(t.dtype()) || IsFloat64(t.dtype()), TypeError)
      << "`" << name << "` must be of float32 or float64";
}

inline void CheckIndexType(const TensorView &t, const char *name)
{
  SET_REQUIRE(IsInt32(t.dtype()) || IsInt64(t.dtype()), TypeError)
      << "`" << name << "` must be of int32 or int64";
}

inline void CheckSameType(const TensorView &t, const char *name, const TensorView &u,
                          const char *other)
{
  SET_REQUIRE(SameType(t.dtype(), u.dtype()), TypeError)
      << "`" << name << "` must have the data type of `" << other << "`";
}

inline void CheckThreads(int64_t threads)
{
  SET_REQUIRE(threads >= 0 && threads <= 64, ValueError)
      << "`threads` must be between 0 (as many as the machine has) and 64, but is " << threads;
}

inline Tensor NewTensor(std::initializer_list<int64_t> shape, DLDataType dtype)
{
  std::vector<int64_t> extents(shape);
  return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(extents.data(), extents.size()),
                              dtype, DLDevice{kDLCPU, 0});
}

// How many threads share a number of items: as many as are asked for, and never more than items.
inline int64_t Workers(int64_t threads, int64_t items)
{
  if (threads == 0) threads = std::max<int64_t>(1, std::thread::hardware_concurrency());
  return std::max<int64_t>(1, std::min<int64_t>({threads, items, 64}));
}

// Calls f(begin, end, worker) for equal parts of 0..items, and returns when all are done. The first
// exception of a part is thrown then. Where no thread can be started the caller does the part.
template <typename F>
void ParallelFor(int64_t items, int64_t workers, F &&f)
{
  std::exception_ptr failed;
  std::mutex guard;
  auto part = [&](int64_t w) {
    try {
      f(items * w / workers, items * (w + 1) / workers, w);
    } catch (...) {
      std::lock_guard<std::mutex> lock(guard);
      if (!failed) failed = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<size_t>(workers));
  int64_t started = 1;
  try {
    for (; started < workers; ++started) pool.emplace_back(part, started);
  } catch (const std::system_error &) {
  }
  part(0);
  for (int64_t w = started; w < workers; ++w) part(w);
  for (std::thread &t : pool) t.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace set
