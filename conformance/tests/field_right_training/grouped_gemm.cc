// SPDX-License-Identifier: Apache-2.0
// Grouped GEMM for mixture of experts: consecutive rows of x belong to one expert; counts says how
// many each has.
namespace {
using tvm::ffi::Optional;
using tvm::ffi::TensorView;

std::vector<int64_t> read_counts(const TensorView& t) {
  std::vector<int64_t> c(static_cast<size_t>(t.shape()[0]));
  for (size_t i = 0; i < c.size(); ++i) {
    c[i] = set::is_i32(t.dtype()) ? set::ptr<int32_t>(t)[i] : set::ptr<int64_t>(t)[i];
  }
  return c;
}

template <class T>
void run(const TensorView& x, const TensorView& w, const std::vector<int64_t>& counts,
         const Optional<TensorView>& bias, double* acc, const TensorView& out) {
  const int64_t k = x.shape()[1], n = w.shape()[2];
  const std::vector<int64_t> sx = set::strides_of(x);
  const T *xp = set::ptr<T>(x), *wp = set::ptr<T>(w);
  const T* bp = bias.has_value() ? set::ptr<T>(*bias) : nullptr;
  const int64_t bias_step = bp && bias.value().shape()[0] > 1 ? n : 0;  // one row may serve all
  T* op = set::ptr<T>(out);
  int64_t row = 0;
  for (int64_t g = 0; g < static_cast<int64_t>(counts.size()); ++g) {
    const T* wg = wp + g * k * n;
    for (int64_t end = row + counts[g]; row < end; ++row) {
      for (int64_t j = 0; j < n; ++j) acc[j] = bp ? double(bp[g * bias_step + j]) : 0.0;
      for (int64_t i = 0; i < k; ++i) {
        const double a = double(xp[row * sx[0] + i * sx[1]]);
        for (int64_t j = 0; j < n; ++j) acc[j] += a * double(wg[i * n + j]);
      }
      for (int64_t j = 0; j < n; ++j) op[row * n + j] = set::to<T>(acc[j]);
    }
  }
}

void grouped_gemm(TensorView x, TensorView w, TensorView counts, Optional<TensorView> bias,
                  TensorView workspace, TensorView out) {
  TVM_FFI_CHECK(set::on_cpu(x), ValueError) << "x must be on the CPU";
  TVM_FFI_CHECK_EQ(x.ndim(), 2, ValueError) << "x is (tokens, k)";
  TVM_FFI_CHECK(set::aligned(x), ValueError) << "x is not aligned";
  set::need_dense(w, "w", 3);
  set::need_dense(counts, "counts", 1);
  set::need_dense(out, "out", 2);
  const int64_t m = x.shape()[0], g = w.shape()[0];
  TVM_FFI_CHECK(set::is_i32(counts.dtype()) || set::is_i64(counts.dtype()), TypeError)
      << "counts are int32 or int64";
  TVM_FFI_CHECK(set::same(w.dtype(), x.dtype()) && set::same(out.dtype(), x.dtype()), TypeError)
      << "x, w and out must have one dtype";
  TVM_FFI_CHECK_EQ(w.shape()[1], x.shape()[1], ValueError) << "inner extents";
  TVM_FFI_CHECK_EQ(counts.shape()[0], g, ValueError) << "one count for each group";
  TVM_FFI_CHECK(out.shape()[0] == m && out.shape()[1] == w.shape()[2], ValueError)
      << "out is (m, n)";
  if (bias.has_value()) {
    set::need_dense(*bias, "bias", 2);
    TVM_FFI_CHECK(set::same((*bias).dtype(), x.dtype()), TypeError) << "dtype of bias";
    const int64_t rows = (*bias).shape()[0];
    TVM_FFI_CHECK((rows == g || rows == 1) && (*bias).shape()[1] == w.shape()[2], ValueError)
        << "bias is (groups, n) or (1, n)";
  }
  // The accumulators of one row; what is in there before and after means nothing.
  set::need_dense(workspace, "workspace", 1);
  TVM_FFI_CHECK(set::is_f64(workspace.dtype()), TypeError) << "workspace is float64";
  TVM_FFI_CHECK_GE(workspace.shape()[0], w.shape()[2], ValueError) << "workspace is too small";
  double* acc = set::ptr<double>(workspace);
  const std::vector<int64_t> c = read_counts(counts);
  int64_t left = m;
  for (int64_t v : c) {
    TVM_FFI_CHECK(v >= 0 && v <= left, ValueError) << "counts must add up to the rows of x";
    left -= v;
  }
  TVM_FFI_CHECK_EQ(left, 0, ValueError) << "counts must add up to the rows of x";
  if (!set::for_float(x.dtype(), [&](auto t) { run<decltype(t)>(x, w, c, bias, acc, out); })) {
    TVM_FFI_THROW(TypeError) << "float32, float16 or bfloat16";
  }
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(grouped_gemm, grouped_gemm);
