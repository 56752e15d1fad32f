// SPDX-License-Identifier: Apache-2.0
// conv1d: of each channel with its own filter. window_max: the largest of each k elements that follow each other.
void Conv1d(TensorView xt, TensorView wt, int64_t stride, int64_t pad, int64_t dil, ffi::Optional<ffi::Tensor> bt, TensorView yt) {
  Arr x = Check(xt, "x", {F32, F16}, 2, ROWS), w = Check(wt, "w", {F32, F16}, 2, CONTIGUOUS), y = Check(yt, "y", {F32, F16}, 2, CONTIGUOUS, true), b;
  SameType(w, x, "w");
  SameType(y, x, "y");
  int64_t c = x.shape[0], n = x.shape[1], k = w.shape[1];
  NEED(stride >= 1 && stride <= 8, ValueError, "stride is not within 1 and 8");
  NEED(pad >= 0 && pad <= 16, ValueError, "pad is not within 0 and 16");
  NEED(dil >= 1 && dil <= 4, ValueError, "dilation is not within 1 and 4");
  NEED(k >= 1, ValueError, "the filter is empty");
  Shaped(w, "w", {c, k});
  NEED(k - 1 <= n + 2 * pad, ValueError, "the filter is longer than the padded input");
  int64_t span = n + 2 * pad - dil * (k - 1) - 1;
  NEED(span >= 0, ValueError, "the filter is longer than the padded input");
  Shaped(y, "y", {c, span / stride + 1});
  if (bt.has_value()) {
    b = Check(bt.value(), "bias", {F32}, 1, CONTIGUOUS);
    NEED(b.shape[0] == c || b.shape[0] == 1, ValueError, "bias must have one element, or one for each channel");
  }
  for (int64_t i = 0; i < c; ++i)
    for (int64_t o = 0; o < y.shape[1]; ++o) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        int64_t at = o * stride + l * dil - pad;
        double v = at >= 0 && at < n ? Load(x.at(i, at), x.code) : 0;
        sum += v * Load(w.at(i, l), w.code);
      }
      if (bt.has_value()) sum += Load(b.at(b.shape[0] == 1 ? 0 : i), F32);
      Store(y.at(i, o), y.code, sum);
    }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv1d, Conv1d);

ffi::Tensor WindowMax(TensorView xt, int64_t k) {
  Arr x = Check(xt, "x", {I32, F32}, 1, STRIDED);
  int64_t n = x.shape[0];
  NEED(k >= 1 && k <= n, ValueError, "k must be within 1 and the length of x, " << n);
  ffi::Tensor out = New({n - k + 1}, x.code);
  for (int64_t i = 0; i + k <= n; ++i) {
    double most = Load(x.at(i), x.code);
    for (int64_t j = i + 1; j < i + k; ++j) {
      double v = Load(x.at(j), x.code);
      if (!std::isnan(most) && !(v <= most)) most = v;
    }
    Store(Data(out) + i * x.item, x.code, most);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(window_max, WindowMax);

void TopK(TensorView xt, int64_t k, TensorView vt, ffi::Optional<ffi::Tensor> it) {
  Arr x = Check(xt, "x", {F32, I32}, -2, ROWS), v = Check(vt, "top", {F32, I32}, -2, CONTIGUOUS, true), at;
  SameType(v, x, "top");
  int64_t n = x.shape.back();
  NEED(k >= 1 && k <= n, ValueError, "k must be within 1 and " << n);
  auto want = x.shape;
  want.back() = k;
  Shaped(v, "top", want);
  if (it.has_value()) {
    at = Check(it.value(), "indexes", {I32, I64}, -2, CONTIGUOUS, true);
    Shaped(at, "indexes", want);
  }
  int64_t rows = v.numel / k;
  for (int64_t r = 0; r < rows; ++r) {
    const char* in = x.row(r);
    std::vector<int64_t> order(n);
    for (int64_t i = 0; i < n; ++i) order[i] = i;
    auto key = [&](int64_t i) { double e = Load(in + i * x.item, x.code); return std::isnan(e) ? std::numeric_limits<double>::infinity() : e; };
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return key(a) > key(b); });
    for (int64_t i = 0; i < k; ++i) {
      std::memcpy(v.data + (r * k + i) * v.item, in + order[i] * x.item, x.item);
      if (it.has_value()) Store(at.data + (r * k + i) * at.item, at.code, double(order[i]));
    }
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, TopK);
