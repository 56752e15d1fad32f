// SPDX-License-Identifier: Apache-2.0
// halves(x): views of the first and of the second half of the rows of x, in an array; in a map, if the including file
// defines IN_A_MAP. Nobody describes it. An including file may make them in another way.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HALVES_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HALVES_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#ifndef ROWS
#define ROWS(count) (count)
#endif
#ifndef OFFSET
#define OFFSET(view) (view).byte_offset
#endif
#ifndef NEW_VIEW
#define NEW_VIEW NewView
#endif

namespace halves
{

namespace ffi = tvm::ffi;

inline ffi::Tensor NewView(const ffi::Tensor &x, DLTensor view)
{
  TVMFFIObjectHandle made;
  void *object = ffi::details::ObjectUnsafe::RawObjectPtrFromObjectRef(x);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorCreateUnsafeView(object, &view, &made));
  return ffi::Tensor(ffi::details::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject *>(made)));
}

struct Borrow {
  void *data;
  void AllocData(DLTensor *tensor)
  {
    tensor->data = data;
  }
  void FreeData(DLTensor *)
  {
  }
};

// A view that does not keep x alive.
inline ffi::Tensor NewBorrowed(const ffi::Tensor &, DLTensor view)
{
  return ffi::Tensor::FromNDAlloc(Borrow{view.data}, ffi::Shape({view.shape[0]}), view.dtype,
                                  view.device);
}

#ifdef IN_A_MAP
using Made = ffi::Map<ffi::String, ffi::Tensor>;
inline void Add(Made *made, const char *name, const ffi::Tensor &view)
{
  made->Set(name, view);
}
#else
using Made = ffi::Array<ffi::Tensor>;
inline void Add(Made *made, const char *, const ffi::Tensor &view)
{
  made->push_back(view);
}
#endif

inline Made Halves(ffi::Tensor x)
{
  if (!x.defined()) TVM_FFI_THROW(TypeError) << "x must be a tensor, not None";
  if (x.ndim() != 1) TVM_FFI_THROW(ValueError) << "x must have 1 dimension, not " << x.ndim();
  if (!(x.dtype() == DLDataType{kDLFloat, 32, 1}) || x.device().device_type != kDLCPU)
    TVM_FFI_THROW(TypeError) << "x must be float32, on the CPU";
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << "x must be contiguous";
  if (x.size(0) > 0 && !x.data_ptr()) TVM_FFI_THROW(ValueError) << "x has no data";
  const int64_t n = x.size(0), half = n / 2;
  Made made;
  for (int i = 0; i < 2; ++i) {
    int64_t rows = i == 0 ? half : ROWS(n - half), stride = 1;
    DLTensor view = *x.GetDLTensorPtr();
    view.shape = &rows;
    view.strides = &stride;
    view.data = static_cast<char *>(view.data) + OFFSET(view) + (i == 0 ? 0 : half * 4);
    view.byte_offset = 0;
    Add(&made, i == 0 ? "first" : "second", NEW_VIEW(x, view));
  }
  return made;
}

}  // namespace halves

TVM_FFI_DLL_EXPORT_TYPED_FUNC(halves, halves::Halves);

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_CPP_HALVES_H_
