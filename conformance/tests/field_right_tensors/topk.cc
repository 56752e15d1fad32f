// SPDX-License-Identifier: Apache-2.0
// The k largest or least of each row, with their places, equal ones in order; and one order statistic.
static ffi::Tuple<ffi::Tensor, ffi::Tensor> topk(DLTensor* x_, int64_t k, bool largest) {
  View x(x_, "x");
  x.cpu().type({F32, F16, I32}).rank(2).rows();
  int64_t n = x.n(0), d = x.n(1);
  NEED(k >= 1 && k <= d, ValueError, "k: expected 1 to " << d << ", got " << k);
  ffi::Tensor values = make({n, k}, x.dtype()), places = make({n, k}, I64);
  auto run = [&](auto t) {
    using T = decltype(t);
    std::vector<int64_t> order(d);
    for (int64_t i = 0; i < n; ++i) {
      const T* p = x.p<T>() + i * x.stride(0);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        auto u = get(p[a]), v = get(p[b]);
        if (u != u || v != v) return u == u && v != v;  // NaN is last
        return largest ? u > v : u < v;
      });
      for (int64_t j = 0; j < k; ++j) {
        static_cast<T*>(values.data_ptr())[i * k + j] = p[order[j]];
        static_cast<int64_t*>(places.data_ptr())[i * k + j] = order[j];
      }
    }
  };
  if (x.dtype() == F32) run(float());
  else if (x.dtype() == F16) run(half_t());
  else run(int32_t());
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(values, places);
}

static double kth(ffi::TensorView x_, int64_t k) {
  View x(x_, "x");
  x.cpu().type({F64}).rank(1);
  int64_t n = x.n(0);
  NEED(k >= 1 && k <= n, IndexError, "k: expected 1 to " << n << ", got " << k);
  std::vector<double> v(n);
  for (int64_t i = 0; i < n; ++i) v[i] = x.p<double>()[i * x.stride(0)];
  std::sort(v.begin(), v.end(), [](double a, double b) { return a != a || b != b ? a == a && b != b : a < b; });
  return v[k - 1];
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, topk);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kth, kth);
