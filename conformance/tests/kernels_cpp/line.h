// SPDX-License-Identifier: Apache-2.0
// line(device, parts...): the elements of tensors of int32, or of int64, one tensor after the other. An including
// file may copy them in another way.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LINE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LINE_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#ifndef IS_OF_TYPE
#define IS_OF_TYPE(part, first) ((part).dtype() == (first).dtype())
#endif

namespace lining
{

namespace ffi = tvm::ffi;

inline ffi::Tensor LineUp(ffi::PackedArgs args)
{
  if (args.size() < 2) TVM_FFI_THROW(TypeError) << "expected a device and tensors";
  const auto device = args[0].as<DLDevice>();
  if (!device) TVM_FFI_THROW(TypeError) << "device must be a device";
  if (device->device_type != kDLCPU || device->device_id != 0)
    TVM_FFI_THROW(ValueError) << "device must be the CPU";
  std::vector<ffi::TensorView> parts;
  int64_t count = 0;
  for (int i = 1; i < args.size(); ++i) {
    const std::string name = "parts[" + std::to_string(i - 1) + "]";
    const auto part = args[i].try_cast<ffi::TensorView>();
    if (!part) TVM_FFI_THROW(TypeError) << name << " must be a tensor";
    parts.push_back(*part);
    const DLDataType type = part->dtype();
    if (type.code != kDLInt || (type.bits != 32 && type.bits != 64) || type.lanes != 1 ||
        !IS_OF_TYPE(*part, parts[0]))
      TVM_FFI_THROW(TypeError) << name << " must be int32, or int64";
    if (part->ndim() != 1) TVM_FFI_THROW(ValueError) << name << " must have 1 dimension";
    if (part->device().device_type != kDLCPU)
      TVM_FFI_THROW(ValueError) << name << " must be on the CPU";
    if (!part->IsContiguous()) TVM_FFI_THROW(ValueError) << name << " must be contiguous";
    if (part->size(0) > 0 && !part->data_ptr()) TVM_FFI_THROW(ValueError) << name << " has no data";
    if (part->size(0) > 1 << 20) TVM_FFI_THROW(ValueError) << name << " is too long";
    count += part->size(0);
  }
  ffi::Tensor all = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::Shape({count}),
                                              parts[0].dtype(), *device);
  char *at = static_cast<char *>(all.data_ptr()) + all.byte_offset();
  for (const ffi::TensorView &part : parts) {
    const size_t size = static_cast<size_t>(part.size(0)) * (parts[0].dtype().bits / 8);
    if (size)
      std::memcpy(at, static_cast<const char *>(part.data_ptr()) + part.byte_offset(), size);
    at += size;
  }
  return all;
}

}  // namespace lining

// Any number of arguments: no macro of the headers exports such a function.
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_line(void *, const TVMFFIAny *args, int32_t count,
                                                 TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<tvm::ffi::Any *>(result) = lining::LineUp(
      tvm::ffi::PackedArgs(reinterpret_cast<const tvm::ffi::AnyView *>(args), count));
  TVM_FFI_SAFE_CALL_END();
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_LINE_H_
