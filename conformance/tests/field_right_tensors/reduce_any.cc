// SPDX-License-Identifier: Apache-2.0
// Sum or maximum of a tensor of any rank and any strides, over one dimension or all.
static ffi::Tensor reduce_any(DLTensor* x_, ffi::String op, ffi::Optional<int64_t> axis_, bool keepdims) {
  View x(x_, "x");
  x.cpu().type({F32, F64, I32});
  bool is_max = op == "max";
  NEED(is_max || op == "sum", ValueError, "op: expected sum or max, got " << op);
  int r = x.nd();
  int axis = -1;
  if (axis_) {
    NEED(*axis_ >= -r && *axis_ < r, IndexError, "axis: " << *axis_ << " is not a dimension of " << r);
    axis = static_cast<int>(*axis_ < 0 ? *axis_ + r : *axis_);
  }
  NEED(!is_max || x.numel() > 0, ValueError, "x: maximum of no elements");
  std::vector<int64_t> shape, keep, strides;
  for (int i = 0; i < r; ++i) {
    bool reduced = !axis_ || i == axis;
    if (!reduced) keep.push_back(x.n(i)), strides.push_back(x.stride(i));
    if (!reduced) shape.push_back(x.n(i));
    else if (keepdims) shape.push_back(1);
  }
  ffi::Tensor out = make(ffi::ShapeView(shape.data(), shape.size()), x.dtype());
  int64_t n = out.numel(), inner = axis_ ? x.n(axis) : x.numel();
  auto run = [&](auto t, auto a0) {
    using T = decltype(t);
    using A = decltype(a0);
    for (int64_t i = 0; i < n; ++i) {
      int64_t base = 0, f = i;
      for (int k = static_cast<int>(keep.size()) - 1; k >= 0; --k) base += f % keep[k] * strides[k], f /= keep[k];
      A a = 0;
      for (int64_t j = 0; j < inner; ++j) {
        A e = get(x.p<T>()[axis_ ? base + j * x.stride(axis) : x.at(j, r)]);
        if (!is_max) a += e;
        else if (j == 0 || e > a || e != e) a = e;
        if (is_max && a != a) break;
      }
      static_cast<T*>(out.data_ptr())[i] = static_cast<T>(a);
    }
  };
  if (x.dtype() == F32) run(float(), double());
  else if (x.dtype() == F64) run(double(), double());
  else run(int32_t(), int64_t());
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_any, reduce_any);
