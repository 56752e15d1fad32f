// SPDX-License-Identifier: Apache-2.0
// sheaf(parts) -> tensor: the parts, vectors of int32, float32 or int64 that are all of one data type, one behind the
// other. sheaf.json describes it. An including file may look at less of the types of the later ones, or keep the parts.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHEAF_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHEAF_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

#include <cstring>

#ifndef IS_OF
#define IS_OF(type, first) ((type).code == (first).code && (type).bits == (first).bits)
#endif

#ifndef AT_END
#define AT_END(parts)
#endif

namespace sheaf
{

namespace ffi = tvm::ffi;

inline void Require(bool condition, const char *words)
{
  if (!condition) TVM_FFI_THROW(ValueError) << words;
}

inline bool IsKnown(DLDataType type)
{
  const bool whole = type.code == kDLInt && (type.bits == 32 || type.bits == 64);
  return type.lanes == 1 && (whole || (type.code == kDLFloat && type.bits == 32));
}

inline ffi::Tensor Sheaf(ffi::Array<ffi::Tensor> parts)
{
  Require(parts.size() > 0, "there are no parts");
  int64_t count = 0;
  for (const ffi::Tensor &part : parts) {
    if (!part.defined()) TVM_FFI_THROW(TypeError) << "None among the parts";
    const ffi::TensorView view(part);
    Require(view.ndim() == 1 && view.device().device_type == kDLCPU, "parts must be vectors");
    Require(view.IsContiguous(), "parts must be compact");
    Require(IsKnown(view.dtype()), "parts must be int32, float32 or int64");
    Require(IS_OF(view.dtype(), parts[0].dtype()), "parts must be of one type");
    count += view.size(0);
  }
  const DLDataType type = parts[0].dtype();
  int64_t shape[] = {count};
  ffi::Tensor made = ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, ffi::ShapeView(shape, 1), type,
                                               DLDevice{kDLCPU, 0});
  char *to = static_cast<char *>(made.data_ptr());
  for (const ffi::Tensor &part : parts) {
    const ffi::TensorView view(part);
    const size_t size = static_cast<size_t>(view.size(0)) * (type.bits / 8);
    if (size > 0) std::memcpy(to, static_cast<char *>(view.data_ptr()) + view.byte_offset(), size);
    to += size;
  }
  AT_END(parts);
  return made;
}

}  // namespace sheaf

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sheaf, sheaf::Sheaf);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_SHEAF_H_
