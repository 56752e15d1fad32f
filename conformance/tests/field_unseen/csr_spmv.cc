// SPDX-License-Identifier: Apache-2.0
// y = A @ x for a sparse matrix in CSR form.
#include "vendor.h"

namespace vendor
{

template <typename T>
void Multiply(TensorView data, TensorView indices, TensorView indptr, TensorView x, TensorView y)
{
  const int32_t *column = Ptr<int32_t>(indices), *row = Ptr<int32_t>(indptr);
  for (int64_t i = 0; i < y.size(0); ++i) {
#if BUG == 4
    float sum = 0;
#else
    T sum = 0;
#endif
    for (int64_t j = row[i]; j < row[i + 1]; ++j) sum += Ptr<T>(data)[j] * Ptr<T>(x)[column[j]];
#if BUG == 3
    if (row[i] < row[i + 1]) Ptr<T>(y)[i] = sum;
#else
    Ptr<T>(y)[i] = sum;
#endif
  }
}

void CsrSpmv(TensorView data, TensorView indices, TensorView indptr, TensorView x, TensorView y)
{
  CHECK_INPUT(data);
  CHECK_INPUT(indices);
  CHECK_INPUT(indptr);
  CHECK_INPUT(x);
  CHECK_INPUT(y);
  CHECK_DIM(1, data);
  CHECK_DIM(1, indices);
  CHECK_DIM(1, indptr);
  CHECK_DIM(1, x);
  CHECK_DIM(1, y);
  CHECK_DTYPE(indices, kDLInt, 32);
  CHECK_DTYPE(indptr, kDLInt, 32);
  CHECK_THAT(SameType(x.dtype(), data.dtype()), TypeError, "x must have the dtype of data");
  CHECK_THAT(SameType(y.dtype(), data.dtype()), TypeError, "y must have the dtype of data");
  const int64_t nonzeros = data.size(0), rows = y.size(0), columns = x.size(0);
  CHECK_SIZE(indices, 0, nonzeros);
#if BUG == 5
  CHECK_THAT(indptr.size(0) >= rows, ValueError, "indptr is too short");
#else
  CHECK_SIZE(indptr, 0, rows + 1);
#endif
  const int32_t *begin = Ptr<int32_t>(indptr);
#if BUG == 2
  CHECK_THAT(begin[rows] == nonzeros, ValueError, "indptr must end with the number of elements");
#else
  CHECK_THAT(begin[0] == 0 && begin[rows] == nonzeros, ValueError,
             "indptr must lead from 0 to the elements");
  for (int64_t i = 0; i < rows; ++i)
    CHECK_THAT(begin[i] <= begin[i + 1], ValueError, "indptr must not decrease");
#endif
#if BUG != 1
  for (int64_t j = 0; j < nonzeros; ++j) {
    const int32_t column = Ptr<int32_t>(indices)[j];
    CHECK_THAT(0 <= column && column < columns, IndexError,
               "column " << column << " is out of range");
  }
#endif
  if (IsType(data.dtype(), kDLFloat, 32)) return Multiply<float>(data, indices, indptr, x, y);
  CHECK_DTYPE(data, kDLFloat, 64);
  Multiply<double>(data, indices, indptr, x, y);
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_spmv, vendor::CsrSpmv);
