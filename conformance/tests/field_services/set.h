// SPDX-License-Identifier: Apache-2.0
// What the kernels of this set have in common: checks of arguments, access to elements, threads.
#pragma once

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
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#ifndef BUG
#define BUG 0
#endif

namespace set
{

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Map;
using ffi::Optional;
using ffi::Shape;
using ffi::ShapeView;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;
using ffi::TypedFunction;
using ffi::Variant;

inline bool Is(DLDataType t, int code, int bits)
{
  return t.code == code && t.bits == bits && t.lanes == 1;
}

inline std::string Text(DLDataType t)
{
  return std::string(ffi::DLDataTypeToString(t));
}

// The tensor has memory that this process can read: on the CPU, no negative extents, not null.
inline void CheckHost(const TensorView &t, const std::string &name)
{
  if (t.device().device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU, its device type is "
                              << static_cast<int>(t.device().device_type);
  }
  bool empty = false;
  for (int32_t i = 0; i < t.ndim(); ++i) {
    if (t.size(i) < 0) TVM_FFI_THROW(ValueError) << name << " has a negative extent";
    if (t.size(i) == 0) empty = true;
  }
  if (!empty && t.data_ptr() == nullptr) TVM_FFI_THROW(ValueError) << name << " has no data";
}

inline void CheckRank(const TensorView &t, int rank, const std::string &name)
{
  if (t.ndim() != rank) {
    TVM_FFI_THROW(ValueError) << name << " must have " << rank << " dimensions, not " << t.ndim();
  }
}

inline void CheckSize(const TensorView &t, int dim, int64_t want, const std::string &name)
{
  if (t.size(dim) != want) {
    TVM_FFI_THROW(ValueError) << name << " must have " << want << " elements in dimension " << dim
                              << ", not " << t.size(dim);
  }
}

inline void CheckContiguous(const TensorView &t, const std::string &name)
{
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

[[noreturn]] inline void WrongType(DLDataType t, const std::string &name, const char *want)
{
  TVM_FFI_THROW(TypeError) << name << " must be of " << want << ", not " << Text(t);
  throw 0;  // not reached
}

// Elements begin behind the byte offset.
template <typename T>
T *Data(const TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}

// Elements from one index of a dimension to the next. Strides may be left out by older producers
// of contiguous tensors, and mean nothing where there is one index.
inline int64_t Stride(const TensorView &t, int dim)
{
  if (!t.IsContiguous()) return t.size(dim) == 1 ? 0 : t.stride(dim);
  int64_t stride = 1;
  for (int32_t i = t.ndim() - 1; i > dim; --i) stride *= t.size(i);
  return stride;
}

// Memory of a tensor that is returned, where the environment has no allocator.
struct HostAlloc {
  void AllocData(DLTensor *t)
  {
    size_t bytes = ffi::GetDataSize(*t);
    t->data = std::malloc(bytes == 0 ? 1 : bytes);
    if (t->data == nullptr) throw std::bad_alloc();
  }
  void FreeData(DLTensor *t)
  {
    std::free(t->data);
  }
};

inline Tensor NewTensor(ShapeView shape, DLDataType dtype)
{
  DLDevice cpu{kDLCPU, 0};
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() != nullptr) {
    return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, dtype, cpu);
  }
  return Tensor::FromNDAlloc(HostAlloc(), shape, dtype, cpu);
}

// Threads that are joined on every way out.
class Threads
{
 public:
  Threads() = default;
  Threads(const Threads &) = delete;
  Threads &operator=(const Threads &) = delete;
  ~Threads()
  {
    Join();
  }
  template <typename F>
  void Start(F f)
  {
    try {
      all_.emplace_back(f);
    } catch (const std::system_error &) {
      f();  // no more threads to be had: the work is done here
    }
  }
  void Join()
  {
    for (std::thread &t : all_) {
      if (t.joinable()) t.join();
    }
    all_.clear();
  }

 private:
  std::vector<std::thread> all_;
};

}  // namespace set
