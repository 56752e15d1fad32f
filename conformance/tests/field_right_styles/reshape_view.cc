// SPDX-License-Identifier: Apache-2.0
// The same elements under another shape. Nothing is copied: the result is a view of x.
static tvm::ffi::Tensor reshape_view(tvm::ffi::Tensor x, tvm::ffi::Shape shape) {
  if (!x.defined()) TVM_FFI_THROW(TypeError) << "x is None";
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << "x has gaps";
  if (x.device().device_type != kDLCPU) TVM_FFI_THROW(ValueError) << "x is not on the CPU";
  if (shape.size() > 32) TVM_FFI_THROW(ValueError) << "more than 32 dimensions";
  for (int64_t e : shape) {
    if (e < 0) TVM_FFI_THROW(ValueError) << "negative extent in " << shape;
  }
  if (x4::count(shape) != x4::count(x.shape())) {
    TVM_FFI_THROW(ValueError) << "can't make " << shape << " of " << x.shape();
  }
  if (x.dtype().bits * x.dtype().lanes % 8 != 0) {
    TVM_FFI_THROW(TypeError) << "elements of less than a byte";
  }
  std::vector<int64_t> strides(shape.size() + 1);  // never empty, so that it has an address
  int64_t next = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = next;
    next *= std::max<int64_t>(shape[i], 1);
  }
  return x.as_strided(shape, tvm::ffi::ShapeView(strides.data(), shape.size()));
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reshape_view, reshape_view);
