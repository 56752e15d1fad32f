// SPDX-License-Identifier: Apache-2.0
// Counts of numbers, and sums of their weights; the largest count is returned. `work` is scratch memory.
static int64_t histogram(ffi::TensorView x_, int64_t bins, ffi::Optional<ffi::Tensor> weights_, ffi::TensorView counts_,
                         ffi::Optional<ffi::Tensor> sums_, ffi::TensorView work_) {
  View x(x_, "x"), counts(counts_, "counts"), work(work_, "work"), weights, sums;
  if (weights_) weights = View(*weights_, "weights");
  if (sums_) sums = View(*sums_, "sums");
  NEED(bins >= 1 && bins <= 1024, ValueError, "bins: expected 1 to 1024, got " << bins);
  x.cpu().type({I32, I64, U8}).rank(1).contiguous();
  int64_t n = x.n(0);
  if (weights) weights.cpu().type({F32, F64}).rank(1).extent(0, n).contiguous();
  counts.cpu().type({I64}).rank(1).extent(0, bins).contiguous();
  if (sums) sums.cpu().type({F64}).rank(1).extent(0, bins).contiguous();
  work.cpu().type({I64}).rank(1).extent(0, bins).contiguous();
  int64_t most = 0;
  with_index(x.dtype(), [&](auto i0) {
    using I = decltype(i0);
    const I* p = x.p<I>();
    for (int64_t i = 0; i < n; ++i)
      NEED(p[i] >= 0 && int64_t(p[i]) < bins, IndexError, "x: " << int64_t(p[i]) << " is in no bin");
    int64_t* w = work.p<int64_t>();
    std::fill_n(w, bins, 0);
    for (int64_t i = 0; i < n; ++i) ++w[p[i]];
    std::copy_n(w, bins, counts.p<int64_t>());
    most = *std::max_element(w, w + bins);
    if (sums) {
      double* s = sums.p<double>();
      std::fill_n(s, bins, 0.0);
      for (int64_t i = 0; i < n; ++i)
        s[p[i]] += !weights ? 1 : weights.dtype() == F32 ? double(weights.p<float>()[i]) : weights.p<double>()[i];
    }
  });
  return most;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(histogram, histogram);
