// SPDX-License-Identifier: Apache-2.0
// y = alpha * A x with a sparse A, rows by offsets.
static void csr_matvec(DLTensor* at_, DLTensor* cols_, ffi::TensorView vals_, ffi::TensorView x_, double alpha, ffi::TensorView y_) {
  View at(at_, "at"), cols(cols_, "cols"), vals(vals_, "vals"), x(x_, "x"), y(y_, "y");
  at.cpu().type({I32, I64}).rank(1).contiguous();
  cols.cpu().same_type(at).rank(1).contiguous();
  vals.cpu().type({F32, F64}).rank(1).extent(0, cols.n(0)).contiguous();
  x.cpu().same_type(vals).rank(1).contiguous();
  NEED(at.n(0) >= 1, ValueError, "at: no offsets");
  int64_t m = at.n(0) - 1, nnz = cols.n(0), k = x.n(0);
  y.cpu().same_type(vals).rank(1).extent(0, m).contiguous();
  NEED(alpha >= -1e6 && alpha <= 1e6, ValueError, "alpha: expected -1e6 to 1e6");
  with_index(at.dtype(), [&](auto i0) {
    using I = decltype(i0);
    const I *a = at.p<I>(), *c = cols.p<I>();
    NEED(a[0] == 0, ValueError, "at: must begin with 0");
    for (int64_t i = 0; i < m; ++i) NEED(a[i] <= a[i + 1], ValueError, "at: must not fall");
    NEED(a[m] == nnz, ValueError, "at: must end with " << nnz);
    for (int64_t i = 0; i < nnz; ++i) NEED(c[i] >= 0 && c[i] < k, IndexError, "cols: " << c[i] << " is not below " << k);
    auto run = [&](auto t) {
      using T = decltype(t);
      for (int64_t i = 0; i < m; ++i) {
        double s = 0;
        for (int64_t j = a[i]; j < a[i + 1]; ++j) s += double(vals.p<T>()[j]) * double(x.p<T>()[c[j]]);
        y.p<T>()[i] = static_cast<T>(s * alpha);
      }
    };
    if (vals.dtype() == F32) run(float());
    else run(double());
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_matvec, csr_matvec);
