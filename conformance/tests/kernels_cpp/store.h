// SPDX-License-Identifier: Apache-2.0
// store(rows): an object that holds up to so many rows of float32; store_put(store, key, row) keeps a copy
// of one, and returns how many there are; store_take(store, key, out) writes what is kept. An including
// file may leave checks out.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STORE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STORE_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#ifndef HAS_ROOM
#define HAS_ROOM(out, row) ((out).size(0) == static_cast<int64_t>((row).size()))
#endif

namespace storing
{

namespace ffi = tvm::ffi;

class StoreObj : public ffi::Object
{
 public:
  int64_t most;
  std::map<std::string, std::vector<float>> rows;
  explicit StoreObj(int64_t rows) : most(rows)
  {
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("kernels.Store", StoreObj, ffi::Object);
};

class Store : public ffi::ObjectRef
{
 public:
  explicit Store(int64_t rows)
  {
    data_ = ffi::make_object<StoreObj>(rows);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Store, ffi::ObjectRef, StoreObj);
};

inline void CheckRow(const ffi::TensorView &row, const char *name)
{
  if (row.ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must have 1 dimension";
  if (row.dtype().code != kDLFloat || row.dtype().bits != 32 || row.dtype().lanes != 1)
    TVM_FFI_THROW(TypeError) << name << " must be float32";
  if (row.device().device_type != kDLCPU)
    TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
  if (!row.IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
  if (row.size(0) > 0 && !row.data_ptr()) TVM_FFI_THROW(ValueError) << name << " has no data";
  if (row.size(0) > 1 << 20) TVM_FFI_THROW(ValueError) << name << " is too long";
}

inline float *Elements(const ffi::TensorView &row)
{
  return reinterpret_cast<float *>(static_cast<char *>(row.data_ptr()) + row.byte_offset());
}

inline Store New(int64_t rows)
{
  if (rows < 0) TVM_FFI_THROW(ValueError) << "rows must not be negative";
  return Store(rows);
}

inline int64_t Put(Store store, ffi::String key, ffi::TensorView row)
{
  CheckRow(row, "row");
  StoreObj *held = const_cast<StoreObj *>(static_cast<const StoreObj *>(store.get()));
  const std::string name(key.data(), key.size());
  if (!held->rows.count(name) && static_cast<int64_t>(held->rows.size()) >= held->most)
    TVM_FFI_THROW(ValueError) << "the store is full";
  held->rows[name].assign(Elements(row), Elements(row) + row.size(0));
  return static_cast<int64_t>(held->rows.size());
}

inline void Take(Store store, ffi::String key, ffi::TensorView out)
{
  CheckRow(out, "out");
  const auto row = store->rows.find(std::string(key.data(), key.size()));
  if (row == store->rows.end()) TVM_FFI_THROW(KeyError) << "unknown key";
  if (!HAS_ROOM(out, row->second)) TVM_FFI_THROW(ValueError) << "out must be as long as the row";
  for (size_t i = 0; i < row->second.size(); ++i) Elements(out)[i] = row->second[i];
}

}  // namespace storing

TVM_FFI_DLL_EXPORT_TYPED_FUNC(store, storing::New)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_put, storing::Put)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(store_take, storing::Take)

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_STORE_H_
