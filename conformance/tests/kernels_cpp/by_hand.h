// SPDX-License-Identifier: Apache-2.0
// Exports that are written by hand, without the macro of the headers.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BY_HAND_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BY_HAND_H_

#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <string>

#define EXPORT_BY_HAND(name)                                                        \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_##name(void *, const TVMFFIAny *args, \
                                                     int32_t num_args, TVMFFIAny *result)

// Metadata of `name`, with this text for a type_schema.
#define METADATA_BY_HAND(name, schema)                                                             \
  extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi__metadata_##name(void *, const TVMFFIAny *, int32_t, \
                                                               TVMFFIAny *result)                  \
  {                                                                                                \
    static const std::string text = "{\"type_schema\":\"" schema "\"}";                            \
    TVMFFIByteArray bytes{text.data(), text.size()};                                               \
    return TVMFFIStringFromByteArray(&bytes, result);                                              \
  }

namespace kernels
{

inline void CheckCount(int32_t num_args, int32_t count)
{
  if (num_args != count)
    TVM_FFI_THROW(TypeError) << "takes " << count << " arguments, not " << num_args;
}

inline tvm::ffi::TensorView TakeTensor(const TVMFFIAny &value, const char *name)
{
  auto taken = tvm::ffi::AnyView::CopyFromTVMFFIAny(value).try_cast<tvm::ffi::TensorView>();
  if (!taken.has_value()) TVM_FFI_THROW(TypeError) << name << " has to be a tensor";
  return *taken;
}

inline int64_t TakeInt(const TVMFFIAny &value, const char *name)
{
  auto taken = tvm::ffi::AnyView::CopyFromTVMFFIAny(value).try_cast<int64_t>();
  if (!taken.has_value()) TVM_FFI_THROW(TypeError) << name << " has to be an int";
  return *taken;
}

}  // namespace kernels

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_BY_HAND_H_
