// SPDX-License-Identifier: Apache-2.0
// Helpers that the text and record kernels share.
#pragma once

#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace set
{

namespace ffi = tvm::ffi;

constexpr DLDataType kBool{kDLBool, 8, 1};
constexpr DLDataType kU8{kDLUInt, 8, 1};
constexpr DLDataType kI32{kDLInt, 32, 1};
constexpr DLDataType kI64{kDLInt, 64, 1};
constexpr DLDataType kF32{kDLFloat, 32, 1};
constexpr DLDataType kF64{kDLFloat, 64, 1};

inline bool same(DLDataType a, DLDataType b)
{
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

// First element of a tensor, a view or a DLTensor; views may begin anywhere in their storage.
template <typename T>
T *begin(const ffi::TensorView &t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t.data_ptr()) + t.byte_offset());
}
template <typename T>
T *begin(const DLTensor *t)
{
  return reinterpret_cast<T *>(static_cast<char *>(t->data) + t->byte_offset);
}

// On the host, of this rank, and at an address where its elements may lie.
inline void host(const ffi::TensorView &t, int ndim, const char *name)
{
  if (t.device().device_type != kDLCPU) {
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  }
  if (t.ndim() != ndim) {
    TVM_FFI_THROW(ValueError) << name << " must have " << ndim << " dimensions, not " << t.ndim();
  }
  size_t item = (t.dtype().bits * t.dtype().lanes + 7u) / 8u;
  if (item > 1 && reinterpret_cast<uintptr_t>(begin<char>(t)) % item != 0) {
    TVM_FFI_THROW(ValueError) << name << " is not aligned to its elements";
  }
}

inline void dense(const ffi::TensorView &t, DLDataType type, int ndim, const char *name)
{
  if (!same(t.dtype(), type)) {
    TVM_FFI_THROW(TypeError) << name << " has the data type " << ffi::DLDataTypeToString(t.dtype())
                             << ", expected " << ffi::DLDataTypeToString(type);
  }
  host(t, ndim, name);
  if (!t.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
}

inline ffi::Tensor make(std::vector<int64_t> shape, DLDataType type)
{
  ffi::Shape extents(std::move(shape));
  return ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, extents, type, DLDevice{kDLCPU, 0});
}

// A result that holds a copy of the vector.
template <typename T>
ffi::Tensor copy_of(const std::vector<T> &v, DLDataType type)
{
  ffi::Tensor t = make({static_cast<int64_t>(v.size())}, type);
  if (!v.empty()) std::memcpy(begin<T>(t), v.data(), v.size() * sizeof(T));
  return t;
}

}  // namespace set
