// SPDX-License-Identifier: Apache-2.0
// Sparse (CSR) times dense, as in graph convolutions:
//   out[i] = reduce over the edges e of row i of values[e] * x[indices[e]]
// A row without edges is 0. The edges of a row are reduced in double.
namespace {

enum class Reduce { kSum, kMean, kMax };

template <typename I, typename T>
void run(const I* indptr, const I* indices, const T* values, const T* x, int64_t x_row, T* out, int64_t m,
         int64_t d, Reduce reduce, int64_t threads) {
#if BUG == 2
  static std::vector<double> acc;
  acc.resize(d);
#endif
  parallel_for(m, threads, [=](int64_t begin, int64_t end) {
#if BUG != 2
    std::vector<double> acc(d);
#endif
    for (int64_t i = begin; i < end; ++i) {
      const int64_t lo = indptr[i], hi = indptr[i + 1];
      const double start = reduce == Reduce::kMax ? -std::numeric_limits<double>::infinity() : 0.0;
      for (int64_t c = 0; c < d; ++c) acc[c] = hi == lo ? 0.0 : start;
      for (int64_t e = lo; e < hi; ++e) {
#if BUG == 5
        const double w = reduce == Reduce::kMax ? static_cast<double>(values[e])
                                                : (values ? static_cast<double>(values[e]) : 1.0);
#else
        const double w = values ? static_cast<double>(values[e]) : 1.0;
#endif
#if BUG == 3
        const T* row = x + static_cast<int64_t>(indices[e]) * d;
#else
        const T* row = x + static_cast<int64_t>(indices[e]) * x_row;
#endif
        for (int64_t c = 0; c < d; ++c) {
          const double v = w * static_cast<double>(row[c]);
          if (reduce == Reduce::kMax) {
            if (v > acc[c] || v != v) acc[c] = v;
          } else {
            acc[c] += v;
          }
        }
      }
#if BUG == 7
      const double div = reduce == Reduce::kMean ? static_cast<double>(hi - lo) : 1.0;
#else
      const double div = reduce == Reduce::kMean && hi > lo ? static_cast<double>(hi - lo) : 1.0;
#endif
      for (int64_t c = 0; c < d; ++c) out[i * d + c] = static_cast<T>(acc[c] / div);
    }
  });
}

template <typename I, typename T>
void checked(TensorView indptr, TensorView indices, const Optional<Tensor>& values, TensorView x, TensorView out,
             Reduce reduce, int64_t threads) {
  const int64_t m = out.size(0), n = x.size(0), d = x.size(1), nnz = indices.size(0);
  const I* p = data<I>(indptr, "indptr");
  const I* idx = data<I>(indices, "indices");
  const T* v = nullptr;
  static const T nothing = 0;
  if (values.has_value()) {
    v = data<T>(*values, "values");
    if (nnz == 0) v = &nothing;
  }
  const T* xs = data<T>(x, "x");
  T* o = data<T>(out, "out");
#if BUG == 6
  std::fill(o, o + m * d, T(0));
#endif
  REQUIRE(p[0] == 0, ValueError, "indptr must begin with 0");
  for (int64_t i = 0; i < m; ++i) {
    REQUIRE(p[i + 1] >= p[i], ValueError, "indptr must not fall, it does at " << i);
  }
  REQUIRE(p[m] == nnz, ValueError, "indptr must end with the number of indices");
  for (int64_t e = 0; e < nnz; ++e) {
#if BUG == 1
    REQUIRE(idx[e] >= 0 && idx[e] <= n, IndexError, "index " << idx[e] << " out of range");
#else
    REQUIRE(idx[e] >= 0 && idx[e] < n, IndexError, "index " << idx[e] << " out of range");
#endif
  }
  run<I, T>(p, idx, v, xs, strides_of(x)[0], o, m, d, reduce, threads);
}

void spmm_csr(TensorView indptr, TensorView indices, Optional<Tensor> values, TensorView x, TensorView out,
              String reduce, int64_t num_threads) {
  check_cpu(indptr, "indptr");
  check_cpu(indices, "indices");
  check_cpu(x, "x");
  check_cpu(out, "out");
  check_rank(indptr, 1, "indptr");
  check_rank(indices, 1, "indices");
  check_rank(x, 2, "x");
  check_rank(out, 2, "out");
  check_contiguous(indptr, "indptr");
  check_contiguous(indices, "indices");
  check_contiguous(out, "out");
  REQUIRE(same(indptr.dtype(), kI32) || same(indptr.dtype(), kI64), TypeError, "indptr must be int32 or int64");
  REQUIRE(same(indices.dtype(), indptr.dtype()), TypeError, "indices must have the type of indptr");
  REQUIRE(same(x.dtype(), kF32) || same(x.dtype(), kF64), TypeError, "x must be float32 or float64");
  REQUIRE(same(out.dtype(), x.dtype()), TypeError, "out must have the type of x");
  REQUIRE(indptr.size(0) >= 1, ValueError, "indptr must not be empty");
  check_extent(out, 0, indptr.size(0) - 1, "out");
  check_extent(out, 1, x.size(1), "out");
  const auto xs = strides_of(x);
  REQUIRE(x.size(1) <= 1 || xs[1] == 1, ValueError, "rows of x must be contiguous");
  if (values.has_value()) {
    const Tensor v = *values;
    check_cpu(v, "values");
    check_rank(v, 1, "values");
    check_extent(v, 0, indices.size(0), "values");
    check_contiguous(v, "values");
#if BUG == 4
    REQUIRE(same(v.dtype(), kF32) || same(v.dtype(), kF64), TypeError, "values must be float32 or float64");
#else
    REQUIRE(same(v.dtype(), x.dtype()), TypeError, "values must have the type of x");
#endif
  }
  Reduce r;
  if (reduce == "sum") {
    r = Reduce::kSum;
  } else if (reduce == "mean") {
    r = Reduce::kMean;
  } else if (reduce == "max") {
    r = Reduce::kMax;
  } else {
    TVM_FFI_THROW(ValueError) << "unknown reduction " << reduce;
  }
  REQUIRE(num_threads >= 1 && num_threads <= 16, ValueError, "num_threads must be in 1..16");
  const bool wide = indptr.dtype().bits == 64, dbl = x.dtype().bits == 64;
  if (wide && dbl) {
    checked<int64_t, double>(indptr, indices, values, x, out, r, num_threads);
  } else if (wide) {
    checked<int64_t, float>(indptr, indices, values, x, out, r, num_threads);
  } else if (dbl) {
    checked<int32_t, double>(indptr, indices, values, x, out, r, num_threads);
  } else {
    checked<int32_t, float>(indptr, indices, values, x, out, r, num_threads);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spmm_csr, spmm_csr);
