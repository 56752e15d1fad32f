// SPDX-License-Identifier: Apache-2.0
// A copy of a tensor of any rank, any strides and any of four types, with its dimensions in another order.
static ffi::Tensor permute(DLTensor* x_, ffi::Array<int64_t> axes) {
  View x(x_, "x");
  x.cpu().type({F32, I64, U8, BF16});
  NEED(axes.defined(), TypeError, "axes: expected an array, not None");
  int r = x.nd();
  NEED(static_cast<int>(axes.size()) == r, ValueError, "axes: expected " << r << ", got " << axes.size());
  std::vector<int64_t> shape(r), strides(r);
  std::vector<bool> seen(r, false);
  for (int i = 0; i < r; ++i) {
    int64_t a = axes[i];
    NEED(a >= 0 && a < r, ValueError, "axes: " << a << " is not a dimension of " << r);
    NEED(!seen[a], ValueError, "axes: " << a << " twice");
    seen[a] = true;
    shape[i] = x.n(int(a));
    strides[i] = x.stride(int(a));
  }
  ffi::Tensor out = make(ffi::ShapeView(shape.data(), r), x.dtype());
  int64_t size = x.dtype().bits / 8, n = out.numel();
  parallel(n, n * (r + 1), [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      int64_t o = 0, f = i;
      for (int k = r - 1; k >= 0; --k) o += f % shape[k] * strides[k], f /= shape[k];
      std::memcpy(static_cast<char*>(out.data_ptr()) + i * size, x.p<char>() + o * size, size);
    }
  });
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(permute, permute);
