// SPDX-License-Identifier: Apache-2.0
// Means of segments by their lengths; numbers in a row as many as a shape has elements.
static ffi::Tensor segment_mean(DLTensor* x_, ffi::Array<int64_t> lengths) {
  View x(x_, "x");
  x.cpu().type({F32, BF16}).rank(2).rows();
  NEED(lengths.defined(), TypeError, "lengths: expected an array, not None");
  int64_t p = lengths.size(), d = x.n(1), total = 0;
  for (int64_t l : lengths) {
    NEED(l >= 0 && l <= 4096, ValueError, "lengths: expected 0 to 4096, got " << l);
    total += l;
  }
  x.extent(0, total);
  ffi::Tensor out = make({p, d}, x.dtype());
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    int64_t row = 0;
    for (int64_t i = 0; i < p; ++i) {
      int64_t l = lengths[i];
      for (int64_t j = 0; j < d; ++j) {
        double s = 0;
        for (int64_t k = 0; k < l; ++k) s += get(x.p<T>()[(row + k) * x.stride(0) + j]);
        static_cast<T*>(out.data_ptr())[i * d + j] = put<T>(s / double(l ? l : 1));
      }
      row += l;
    }
  });
  return out;
}

static void iota(ffi::Shape s, double start, DLTensor* out_, ffi::Optional<ffi::Tensor> first_) {
  View out(out_, "out"), first;
  if (first_) first = View(*first_, "first");
  NEED(s.defined(), TypeError, "s: expected a shape, not None");
  NEED(!s.empty(), ValueError, "s: no extents");
  int64_t n = 1;
  for (int64_t e : s) NEED(e >= 0 && e <= 64, ValueError, "s: expected 0 to 64, got " << e);
  bool none = std::find(s.begin(), s.end(), 0) != s.end();
  for (int64_t e : s) {
    n = none ? 0 : n * e;
    NEED(n <= 4096, ValueError, "s: more than 4096 elements");
  }
  NEED(start >= -1000 && start <= 1000, ValueError, "start: expected -1000 to 1000");
  out.cpu().type({F32, F64}).rank(1).extent(0, n);
  if (first) first.cpu().type({I64}).rank(1).extent(0, s[0]);
  for (int64_t i = 0; i < n; ++i) {
    if (out.dtype() == F32) out.p<float>()[i * out.stride(0)] = float(start + double(i));
    else out.p<double>()[i * out.stride(0)] = start + double(i);
  }
  for (int64_t i = 0; first && i < s[0]; ++i) first.p<int64_t>()[i * first.stride(0)] = i;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_mean, segment_mean);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(iota, iota);
