// SPDX-License-Identifier: Apache-2.0
// a @ b into out, which is returned; without out a new tensor is.
using tvm::ffi::Optional;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

static void need(bool ok, const char* what) {
  if (!ok) TVM_FFI_THROW(ValueError) << "matmul_out: " << what;
}

static void matrix(const TensorView& t, const char* name) {
  if (!x4::holds<float>(t.dtype())) TVM_FFI_THROW(TypeError) << name << " must be float32";
  need(t.ndim() == 2, "two dimensions each");
  x4::plain(t, name);
}

static bool overlap(const TensorView& a, const TensorView& b) {
  const char *p = x4::bytes_of(a), *q = x4::bytes_of(b);
  int64_t np = x4::count(a.shape()) * 4, nq = x4::count(b.shape()) * 4;
  return np != 0 && nq != 0 && p < q + nq && q < p + np;
}

static Tensor matmul_out(TensorView a, TensorView b, Optional<Tensor> out) {
  matrix(a, "a");
  matrix(b, "b");
  const int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  need(b.size(0) == k, "inner extents differ");
  if (out.has_value()) {
    Tensor o = out.value();
    matrix(o, "out");
    need(o.size(0) == m && o.size(1) == n, "out has another shape");
    need(!overlap(o, a) && !overlap(o, b), "out overlaps an operand");
  }
  Tensor y = out.has_value() ? out.value() : x4::make({m, n}, a.dtype());
  if (m == 0 || n == 0) return y;

  // One row of sums for each thread that calls, kept for the next call.
  static thread_local std::vector<double> sums;
  if (sums.size() < static_cast<size_t>(n)) sums.resize(n);
  const float* pa = x4::first<float>(a);
  const float* pb = x4::first<float>(b);
  float* py = x4::first<float>(y);
  for (int64_t i = 0; i < m; ++i) {
    std::fill_n(sums.begin(), n, 0.0);
    for (int64_t l = 0; l < k; ++l) {
      const double v = pa[i * k + l];
      const float* row = pb + l * n;
      for (int64_t j = 0; j < n; ++j) sums[j] += v * row[j];
    }
    for (int64_t j = 0; j < n; ++j) py[i * n + j] = static_cast<float>(sums[j]);
  }
  return y;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(matmul_out, matmul_out);
