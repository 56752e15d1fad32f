// SPDX-License-Identifier: Apache-2.0
// Tensor.split(sizes, -1): views into the argument, nothing is copied.
namespace ffi = tvm::ffi;

static ffi::Array<ffi::Tensor> split_last(ffi::Tensor x, ffi::Shape sizes) {
  set::need_given(x, "x");
  if (!set::on_cpu(x)) TVM_FFI_THROW(ValueError) << "split_last: x must be on the CPU";
  const int rank = x.ndim();
  if (rank == 0) TVM_FFI_THROW(ValueError) << "split_last: x has no dimension to split";
  if (x.dtype().bits % 8 != 0 || x.dtype().lanes != 1) {
    TVM_FFI_THROW(TypeError) << "split_last: elements of whole bytes, without lanes";
  }
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end()), strides = set::strides_of(x);
  int64_t left = shape.back();
  for (int64_t s : sizes) {
    if (s < 0) TVM_FFI_THROW(ValueError) << "split_last: a size is negative";
    if (s > left) TVM_FFI_THROW(ValueError) << "split_last: the sizes exceed the last extent";
    left -= s;
  }
  if (left != 0) TVM_FFI_THROW(ValueError) << "split_last: " << left << " elements are left over";

  // as_strided takes offsets of elements forwards only; the start of a part may lie before the
  // first element where the last stride is negative, so those are described to the runtime by hand.
  ffi::Array<ffi::Tensor> parts;
  DLTensor view = *x.GetDLTensorPtr();
  char* base = set::ptr<char>(x);
  const bool empty = x.numel() == 0;
  int64_t at = 0;
  for (int64_t s : sizes) {
    shape.back() = s;
    view.shape = shape.data();
    view.strides = strides.data();
    view.data = empty ? base : base + at * strides.back() * (x.dtype().bits / 8);
    view.byte_offset = 0;
    TVMFFIObjectHandle handle;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITensorCreateUnsafeView(
        ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(x), &view, &handle));
    parts.push_back(ffi::Tensor(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
        static_cast<TVMFFIObject*>(handle))));
    at += s;
  }
  return parts;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(split_last, split_last);
