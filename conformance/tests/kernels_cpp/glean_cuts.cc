// SPDX-License-Identifier: Apache-2.0
// caught by buffer.indices-are-not-cut
// glean(ids, name): the name, once for each number, all of which must be 0. Numbers of 64 bits are cut before they are
// checked.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <string>

namespace ffi = tvm::ffi;

static void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

static ffi::String Glean(ffi::TensorView ids, ffi::String name)
{
  const DLDataType type = ids.dtype();
  Require(type.code == kDLInt && (type.bits == 32 || type.bits == 64) && type.lanes == 1,
          "ids must be int32 or int64");
  Require(ids.ndim() == 1 && ids.device().device_type == kDLCPU, "ids must be a vector");
  Require(ids.IsContiguous() && (ids.data_ptr() || ids.numel() == 0), "ids must be compact");
  const char *bytes = static_cast<char *>(ids.data_ptr()) + ids.byte_offset();
  std::string all;
  for (int64_t i = 0; i < ids.size(0); ++i) {
    const int32_t id = type.bits == 32
                           ? reinterpret_cast<const int32_t *>(bytes)[i]
                           : static_cast<int32_t>(reinterpret_cast<const int64_t *>(bytes)[i]);
    Require(id == 0, "ids must be 0, the only name");
    all += std::string(name.data(), name.size());
  }
  return all;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(glean, Glean);
