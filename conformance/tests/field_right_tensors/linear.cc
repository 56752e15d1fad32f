// SPDX-License-Identifier: Apache-2.0
// out = act(x w' + bias): any batch, bias of n or one element, activation optional.
static void linear(ffi::TensorView x_, DLTensor* w_, ffi::Optional<ffi::Tensor> bias_, ffi::Optional<ffi::String> act, ffi::TensorView out_) {
  View x(x_, "x"), w(w_, "w"), out(out_, "out"), bias;
  if (bias_) bias = View(*bias_, "bias");
  x.cpu().type({F32, F16, BF16, F64}).min_rank(1).contiguous();
  int64_t k = x.n(-1);
  w.cpu().same_type(x).rank(2).extent(1, k).contiguous().aligned(16);
  int64_t n = w.n(0), rows = 1;
  if (bias) {
    bias.cpu().same_type(x).rank(1).contiguous();
    NEED(bias.n(0) == n || bias.n(0) == 1, ValueError, "bias: expected " << n << " or one, got " << bias.n(0));
  }
  int a = 0;
  if (act) {
    NEED(*act == "relu" || *act == "gelu", ValueError, "act: expected relu or gelu, got " << *act);
    a = *act == "relu" ? 1 : 2;
  }
  out.cpu().same_type(x).rank(x.nd()).extent(x.nd() - 1, n).contiguous();
  for (int i = 0; i < x.nd() - 1; ++i) out.extent(i, x.n(i)), rows *= x.n(i);
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    const T *px = x.p<T>(), *pw = w.p<T>(), *pb = bias ? bias.p<T>() : nullptr;
    int64_t step = bias && bias.n(0) == n ? 1 : 0;
    T* po = out.p<T>();
#pragma omp parallel for if (rows * n * k > (1 << 16))
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double s = 0;
        for (int64_t l = 0; l < k; ++l) s += double(get(px[i * k + l])) * double(get(pw[j * k + l]));
        if (pb) s += get(pb[j * step]);
        if (a == 1) s = s < 0 ? 0 : s;
        if (a == 2) s = s * 0.5 * std::erfc(-s / std::sqrt(2.0));
        po[i * n + j] = put<T>(s);
      }
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(linear, linear);
