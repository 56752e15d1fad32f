// SPDX-License-Identifier: Apache-2.0
// y = alpha * A @ x + beta * y with A in CSR. Old interface: DLTensor pointers, checked one by one.
#define EXPECT(cond, kind, text)               \
  do {                                         \
    if (!(cond)) TVM_FFI_THROW(kind) << text;  \
  } while (0)

static void* at(const DLTensor* t) { return static_cast<char*>(t->data) + t->byte_offset; }

static void plain(const DLTensor* t, int ndim, const char* what) {
  EXPECT(t != nullptr, ValueError, what << " is a null pointer");
  EXPECT(t->device.device_type == kDLCPU, ValueError, what << " is not on the CPU");
  EXPECT(t->ndim == ndim, ValueError, what << " has the wrong rank");
  EXPECT(tvm::ffi::IsContiguous(*t), ValueError, what << " is not contiguous");
  EXPECT(t->dtype.bits % 8 == 0 && t->dtype.bits != 0 && t->dtype.lanes == 1, TypeError,
         what << " has an odd data type");
  EXPECT(tvm::ffi::IsAligned(*t, t->dtype.bits / 8), ValueError, what << " is not aligned");
}

template <class T, class Acc>
static void spmm(const int32_t* ptr, const int32_t* idx, const DLTensor* val, const DLTensor* x,
                 DLTensor* y, Acc alpha, Acc beta) {
  const T *v = static_cast<T*>(at(val)), *xp = static_cast<T*>(at(x));
  T* yp = static_cast<T*>(at(y));
  const int64_t m = y->shape[0], n = y->shape[1];
  for (int64_t r = 0; r < m; ++r) {
    for (int64_t c = 0; c < n; ++c) {
      Acc sum = 0;
      for (int32_t e = ptr[r]; e < ptr[r + 1]; ++e) sum += Acc(v[e]) * Acc(xp[idx[e] * n + c]);
      // As in BLAS: with beta = 0, y is not read.
      Acc old = beta == 0 ? Acc(0) : beta * Acc(yp[r * n + c]);
      yp[r * n + c] = static_cast<T>(alpha * sum + old);
    }
  }
}

static void csr_spmm(DLTensor* indptr, DLTensor* indices, DLTensor* values, DLTensor* x,
                     DLTensor* y, double alpha, double beta) {
  plain(indptr, 1, "indptr");
  plain(indices, 1, "indices");
  plain(values, 1, "values");
  plain(x, 2, "x");
  plain(y, 2, "y");
  EXPECT(set::is_i32(indptr->dtype) && set::is_i32(indices->dtype), TypeError, "int32 indices");
  EXPECT(set::is_f32(x->dtype) || set::is_f64(x->dtype), TypeError, "float32 or float64");
  EXPECT(set::same(values->dtype, x->dtype), TypeError, "values and x differ in type");
  EXPECT(set::same(y->dtype, x->dtype), TypeError, "y and x differ in type");
  const int64_t nnz = indices->shape[0], m = y->shape[0];
  EXPECT(values->shape[0] == nnz, ValueError, "one value for each index");
  EXPECT(indptr->shape[0] == m + 1, ValueError, "indptr has one entry more than y has rows");
  EXPECT(x->shape[1] == y->shape[1], ValueError, "x and y differ in columns");
  const int32_t *ptr = static_cast<int32_t*>(at(indptr)), *idx = static_cast<int32_t*>(at(indices));
  EXPECT(ptr[0] == 0 && ptr[m] == nnz, ValueError, "indptr must run from 0 to nnz");
  for (int64_t r = 0; r < m; ++r) EXPECT(ptr[r] <= ptr[r + 1], ValueError, "indptr must not fall");
  for (int64_t e = 0; e < nnz; ++e) {
    EXPECT(idx[e] >= 0 && idx[e] < x->shape[0], IndexError, "column " << idx[e] << " out of range");
  }
  if (set::is_f32(x->dtype)) {
    spmm<float, double>(ptr, idx, values, x, y, alpha, beta);
  } else {
    spmm<double, long double>(ptr, idx, values, x, y, alpha, beta);
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_spmm, csr_spmm);
