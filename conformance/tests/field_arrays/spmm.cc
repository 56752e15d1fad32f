// SPDX-License-Identifier: Apache-2.0
// out = alpha * A @ b + beta * out, where A is m x k in CSR form; without values each entry of A is 1.
using namespace ks;

static void CsrMatmul(TensorView indptr, TensorView indices, Optional<Tensor> values, TensorView b,
                      TensorView out, double alpha, double beta)
{
  CheckDType(indptr, "indptr", {kI32, kI64});
  KS_CHECK(Same(indices.dtype(), indptr.dtype()), TypeError)
      << "indices: data type differs from indptr";
  CheckDType(b, "b", {kF32, kF64, kBF16});
  KS_CHECK(Same(out.dtype(), b.dtype()), TypeError) << "out: data type differs from b";
  CheckRank(indptr, "indptr", 1);
  CheckRank(indices, "indices", 1);
  CheckRank(b, "b", 2);
  CheckRank(out, "out", 2);
  CheckMemory(indptr, "indptr");
  CheckMemory(indices, "indices");
  CheckMemory(b, "b");
  CheckMemory(out, "out");
  CheckContiguous(indptr, "indptr");
  CheckContiguous(indices, "indices");
  int64_t m = indptr.shape()[0] - 1, nnz = indices.shape()[0], k = b.shape()[0], n = b.shape()[1];
  KS_CHECK(m >= 0, ValueError) << "indptr is empty";
  CheckExtent(out, "out", 0, m);
  CheckExtent(out, "out", 1, n);
  std::vector<int64_t> bs = Strides(b), os = Strides(out);
  KS_CHECK(bs[1] == 1 || n <= 1, ValueError) << "b: rows must be contiguous";
  KS_CHECK(os[1] == 1 || n <= 1, ValueError) << "out: rows must be contiguous";
  DLDataType t = b.dtype(), it = indptr.dtype();
#if BUG == 5
  Tensor given = values.value();
  const void *vals = Data<void>(given);
#else
  const void *vals = nullptr;
#endif
  if (values.has_value()) {
    Tensor v = values.value();
    KS_CHECK(Same(v.dtype(), t), TypeError) << "values: data type differs from b";
    CheckRank(v, "values", 1);
    CheckMemory(v, "values");
    CheckContiguous(v, "values");
    CheckExtent(v, "values", 0, nnz);
    vals = Data<void>(v);
  }
  bool pattern = !values.has_value();
  const void *ptr = Data<void>(indptr), *idx = Data<void>(indices), *bd = Data<void>(b);
  void *od = Data<void>(out);

  KS_CHECK(LoadIndex(ptr, it, 0) == 0, ValueError) << "indptr must begin with 0";
  KS_CHECK(LoadIndex(ptr, it, m) == nnz, ValueError)
      << "indptr must end with the number of indices";
#if BUG != 3
  for (int64_t r = 0; r < m; ++r)
    KS_CHECK(LoadIndex(ptr, it, r) <= LoadIndex(ptr, it, r + 1), ValueError)
        << "indptr must not fall";
#endif
#if BUG == 6
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c)
      Store(od, t, r * os[0] + c, beta == 0 ? 0 : beta * Load(od, t, r * os[0] + c));
  beta = 1;
#endif
#if BUG == 2
  if (!pattern)
#endif
    for (int64_t j = 0; j < nnz; ++j) {
      int64_t c = LoadIndex(idx, it, j);
      KS_CHECK(c >= 0 && c < k, IndexError) << "indices[" << j << "] is " << c;
    }

  ParallelFor(m, 256, [&](int64_t begin, int64_t end) {
    std::vector<double> row(static_cast<size_t>(n));
    for (int64_t r = begin; r < end; ++r) {
      std::fill(row.begin(), row.end(), 0.0);
      for (int64_t j = LoadIndex(ptr, it, r); j < LoadIndex(ptr, it, r + 1); ++j) {
        double a = pattern ? 1.0 : Load(vals, t, j);
#if BUG == 4
        int64_t at = LoadIndex(idx, it, j) * n;
#else
        int64_t at = LoadIndex(idx, it, j) * bs[0];
#endif
        for (int64_t c = 0; c < n; ++c) row[size_t(c)] += a * Load(bd, t, at + c);
      }
      for (int64_t c = 0; c < n; ++c) {
        double y = alpha * row[size_t(c)];
#if BUG == 1
        y += beta * Load(od, t, r * os[0] + c);
#else
        if (beta != 0) y += beta * Load(od, t, r * os[0] + c);
#endif
        Store(od, t, r * os[0] + c, y);
      }
    }
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_matmul, CsrMatmul)
