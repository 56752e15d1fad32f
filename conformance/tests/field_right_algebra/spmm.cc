// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices: CSR, a tuple (row ends, columns, values), with a dense matrix, and
// COO, in any order and with repeated places, with a vector.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Tensor;
using vx::ffi::TensorView;
using vx::ffi::Tuple;

// out = a @ b + beta * out; with beta 0, what was in out does not matter.
void CsrSpmm(Tuple<Tensor, Tensor, Tensor> a, TensorView b, double beta, TensorView out) {
  const View ends = vx::Look(a.get<0>(), "a[0]", 1, {Num::I32, Num::I64});
  const View columns = vx::Look(a.get<1>(), "a[1]", 1, {Num::I32, Num::I64});
  const View values = vx::Look(a.get<2>(), "a[2]", 1, {Num::F32, Num::F64});
  const View dense = vx::Look(b, "b", 2, {values.num});
  const View to = vx::Look(out, "out", 2, {values.num});
  const int64_t nnz = values.shape[0];
  const int64_t k = dense.shape[0];
  const int64_t n = dense.shape[1];
  const int64_t m = ends.shape[0] - 1;
  if (m < 0) TVM_FFI_THROW(ValueError) << "a[0]: at least one element is needed";
  if (columns.num != ends.num) TVM_FFI_THROW(TypeError) << "a: indices must be of one type";
  vx::SameShape(columns, "a[1]", {nnz});
  vx::SameShape(to, "out", {m, n});
  if (!std::isfinite(beta)) TVM_FFI_THROW(ValueError) << "beta: must be finite";
  if (ends.Int(0) != 0 || ends.Int(m) != nnz) {
    TVM_FFI_THROW(ValueError) << "a[0]: must go from 0 to " << nnz;
  }
  for (int64_t i = 0; i < m; ++i) {
    if (ends.Int(i + 1) < ends.Int(i)) TVM_FFI_THROW(ValueError) << "a[0]: falls behind " << i;
  }
  for (int64_t i = 0; i < nnz; ++i) {
    if (columns.Int(i) < 0 || columns.Int(i) >= k) {
      TVM_FFI_THROW(IndexError) << "a[1]: column " << columns.Int(i) << " of " << k;
    }
  }

  std::vector<std::vector<double>> rows(4, std::vector<double>(static_cast<size_t>(n)));
  const int64_t work = 1 + nnz / (1 + m) * n;
  vx::Split(m, 1 + 50000 / work, [&](int64_t from, int64_t end, int64_t worker) {
    double* sum = rows[static_cast<size_t>(worker)].data();
    for (int64_t i = from; i < end; ++i) {
      for (int64_t j = 0; j < n; ++j) sum[j] = beta == 0 ? 0 : beta * to.Get(i, j);
      for (int64_t at = ends.Int(i); at < ends.Int(i + 1); ++at) {
        const double v = values.Get(at);
        const int64_t c = columns.Int(at);
        for (int64_t j = 0; j < n; ++j) sum[j] += v * dense.Get(c, j);
      }
      for (int64_t j = 0; j < n; ++j) to.Put(sum[j], i, j);
    }
  });
}

void CooSpmv(DLTensor* places, DLTensor* values, DLTensor* x, DLTensor* y) {
  const View at = vx::Look(places, "places", 2, {Num::I32});
  const View v = vx::Look(values, "values", 1, {Num::F32, Num::F64});
  const View in = vx::Look(x, "x", 1, {v.num});
  const View to = vx::Look(y, "y", 1, {v.num});
  vx::SameShape(at, "places", {2, v.shape[0]});
  const int64_t m = to.shape[0];
  std::vector<double> sums(static_cast<size_t>(m));
  for (int64_t i = 0; i < v.shape[0]; ++i) {
    const int64_t r = at.Int(0, i);
    const int64_t c = at.Int(1, i);
    if (r < 0 || r >= m || c < 0 || c >= in.shape[0]) {
      TVM_FFI_THROW(IndexError) << "places: (" << r << ", " << c << ") is outside of the matrix";
    }
    sums[static_cast<size_t>(r)] += v.Get(i) * in.Get(c);
  }
  for (int64_t i = 0; i < m; ++i) to.Put(sums[static_cast<size_t>(i)], i);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_spmm, CsrSpmm);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(coo_spmv, CooSpmv);
