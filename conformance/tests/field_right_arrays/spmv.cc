// SPDX-License-Identifier: Apache-2.0
// Product of a sparse matrix (CSR) and a vector, written to y or added to it.
namespace csr {

using namespace set;

struct Matrix {
  const DLTensor *indptr, *indices, *values;
  int64_t rows, cols, nnz;
};

template <typename I>
void Check(const Matrix& a) {
  const I* ptr = Elements<I>(a.indptr, "indptr");
  const I* col = Elements<I>(a.indices, "indices");
  if (ptr[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0";
  if (ptr[a.rows] != a.nnz) TVM_FFI_THROW(ValueError) << "indptr must end with " << a.nnz;
  for (int64_t i = 0; i < a.rows; ++i) {
    if (ptr[i] > ptr[i + 1]) TVM_FFI_THROW(ValueError) << "indptr falls behind row " << i;
  }
  for (int64_t k = 0; k < a.nnz; ++k) {
    if (col[k] < 0 || col[k] >= a.cols) {
      TVM_FFI_THROW(IndexError) << "there is no column " << col[k];
    }
  }
}

template <typename I, typename T>
void Multiply(const Matrix& a, const T* x, T* y, bool accumulate) {
  const I* ptr = Elements<I>(a.indptr, "indptr");
  const I* col = Elements<I>(a.indices, "indices");
  const T* value = Elements<T>(a.values, "values");
  for (int64_t i = 0; i < a.rows; ++i) {
    double sum = accumulate ? y[i] : 0.0;
    for (I k = ptr[i]; k < ptr[i + 1]; ++k) sum += static_cast<double>(value[k]) * x[col[k]];
    y[i] = static_cast<T>(sum);
  }
}

template <typename I>
void Run(const Matrix& a, const DLTensor* x, const DLTensor* y, bool accumulate) {
  Check<I>(a);
  if (Is<float>(y->dtype)) {
    Elements<float>(a.values, "values");
    Multiply<I>(a, Elements<float>(x, "x"), Elements<float>(y, "y"), accumulate);
  } else {
    Elements<double>(a.values, "values");
    Multiply<I>(a, Elements<double>(x, "x"), Elements<double>(y, "y"), accumulate);
  }
}

void Spmv(TensorView indptr, TensorView indices, TensorView values, TensorView x, TensorView y,
          bool accumulate) {
  Matrix a{Raw(indptr), Raw(indices), Raw(values), 0, 0, 0};
  for (const DLTensor* t : {a.indptr, a.indices, a.values, Raw(x), Raw(y)}) {
    NeedRank(t, 1, "each argument");
    NeedCompact(t, "each argument");
  }
  a.rows = y.size(0);
  a.cols = x.size(0);
  a.nnz = values.size(0);
  NeedShape(a.indptr, {a.rows + 1}, "indptr");
  NeedShape(a.indices, {a.nnz}, "indices");
  if (Is<int64_t>(indptr.dtype())) return Run<int64_t>(a, Raw(x), Raw(y), accumulate);
  Run<int32_t>(a, Raw(x), Raw(y), accumulate);
}

}  // namespace csr

TVM_FFI_DLL_EXPORT_TYPED_FUNC(spmv, csr::Spmv);
