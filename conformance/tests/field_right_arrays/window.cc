// SPDX-License-Identifier: Apache-2.0
// Sliding windows over a vector, as a view: the result shares the memory of the argument.
namespace {

using set::Tensor;

// Elements are not touched, so that type and device don't matter.
Tensor Windows(Tensor x, int64_t width, int64_t hop) {
  const DLTensor* t = x.GetDLTensorPtr();
  set::NeedRank(t, 1, "x");
  const int64_t n = t->shape[0];
  TVM_FFI_CHECK(width >= 1 && width <= n, ValueError) << "width " << width << " of " << n;
  TVM_FFI_CHECK(hop >= 1, ValueError) << "hop must be at least 1";
  const int64_t count = (n - width) / hop + 1;
  const int64_t step = set::Stride(t, 0);
  const int64_t shape[2] = {count, width};
  // A single window needs no way to the next; this also keeps hop * step in range.
  const int64_t strides[2] = {count > 1 ? hop * step : step * width, step};
  return x.as_strided(tvm::ffi::ShapeView(shape, 2), tvm::ffi::ShapeView(strides, 2));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(windows, Windows);
