// SPDX-License-Identifier: Apache-2.0
// csr_spmm(indptr, indices, values, x, y, alpha, beta, num_threads): y = alpha * A @ x + beta * y,
// where A is sparse, by rows. Equal columns of a row are added up. Where beta is 0, y is not read.
#include <memory>

namespace {

using namespace kit;

struct Product {
  View indptr, indices, values, x, y;
  double alpha = 1, beta = 0;
};

int64_t whole(const View& v, int64_t i) {
  return same_type(v.dtype, kI32) ? v.as<int32_t>()[i] : v.as<int64_t>()[i];
}

template <typename T>
void multiply(const Product& m, int64_t begin, int64_t end, double* sums) {
  int64_t columns = m.y.shape[1];
  int64_t step = BUG == 6 ? columns : m.x.stride[0];
  for (int64_t i = begin; i < end; ++i) {
    std::fill(sums, sums + columns, 0.0);
    int64_t last = whole(m.indptr, i + 1);
    for (int64_t j = whole(m.indptr, i); j < last; ++j) {
      int64_t at = whole(m.indices, j);
#if BUG == 4
      if (at < 0 || at >= m.x.shape[0]) continue;
#endif
      double value = static_cast<double>(m.values.as<T>()[j]);
      const T* row = m.x.as<T>() + at * step;
      for (int64_t c = 0; c < columns; ++c) sums[c] += value * row[c];
    }
    T* out = m.y.as<T>() + i * m.y.stride[0];
    for (int64_t c = 0; c < columns; ++c) {
      double kept = m.beta == 0 && BUG != 1 ? 0 : m.beta * out[c];
      out[c] = static_cast<T>(m.alpha * sums[c] + kept);
    }
  }
}

template <typename T>
void run(const Product& m, int64_t threads) {
  int64_t columns = m.y.shape[1], rows = m.y.shape[0];
#if BUG == 7
  double* sums = new double[static_cast<size_t>(threads * columns) + 1];
#else
  std::unique_ptr<double[]> owner(new double[static_cast<size_t>(threads * columns) + 1]);
  double* sums = owner.get();
#endif
  if (BUG == 2) rows -= rows % threads;
  in_parallel(threads, rows, 1, [&](int64_t part, int64_t begin, int64_t end) {
    multiply<T>(m, begin, end, BUG == 3 ? sums : sums + part * columns);
  });
#if BUG == 7
  if (threads == 1) delete[] sums;
#endif
}

void csr_spmm(TensorView indptr, TensorView indices, TensorView values, TensorView x, TensorView y,
              double alpha, double beta, int64_t num_threads) {
  Product m;
  m.indptr = view(indptr, "indptr", 1);
  need_type(m.indptr, {kI32, kI64});
  need_dense(m.indptr);
  m.indices = view(indices, "indices", 1);
  need_same_type(m.indices, m.indptr);
  need_dense(m.indices);
  m.values = view(values, "values", 1);
  need_type(m.values, {kF32, kF64});
  need_dense(m.values);
  need_extent(m.values, 0, m.indices.shape[0], "elements of indices");
  m.x = view(x, "x", 2);
  need_same_type(m.x, m.values);
  need_rows(m.x);
  m.y = view(y, "y", 2);
  need_same_type(m.y, m.values);
  need_rows(m.y);
  if (m.indptr.shape[0] < 1) TVM_FFI_THROW(ValueError) << "indptr must have at least one element";
  need_extent(m.y, 0, m.indptr.shape[0] - 1, "one less than elements of indptr");
  need_extent(m.y, 1, m.x.shape[1], "columns of x");
  int64_t step = m.y.stride[0] < 0 ? -m.y.stride[0] : m.y.stride[0];
  if (m.y.numel() != 0 && m.y.shape[0] > 1 && step < m.y.shape[1]) {
    TVM_FFI_THROW(ValueError) << "y must not have rows that overlap";
  }
  for (const View* v : {&m.indptr, &m.indices, &m.values, &m.x}) {
    if (overlap(m.y, *v)) TVM_FFI_THROW(ValueError) << "y must not overlap " << v->name;
  }
  if (!std::isfinite(alpha)) TVM_FFI_THROW(ValueError) << "alpha must be finite";
  if (!std::isfinite(beta)) TVM_FFI_THROW(ValueError) << "beta must be finite";
  if (num_threads < 1 || num_threads > 64) {
    TVM_FFI_THROW(ValueError) << "num_threads must be from 1 to 64, and is " << num_threads;
  }
  int64_t rows = m.y.shape[0], count = m.indices.shape[0], columns = m.x.shape[0];
  if (whole(m.indptr, 0) != 0 || whole(m.indptr, rows) != count) {
    TVM_FFI_THROW(ValueError) << "indptr must start with 0 and end with the number of indices ("
                              << count << ")";
  }
#if BUG != 5
  for (int64_t i = 0; i < rows; ++i) {
    if (whole(m.indptr, i) > whole(m.indptr, i + 1)) {
      TVM_FFI_THROW(ValueError) << "indptr must not fall, and does behind element " << i;
    }
  }
#endif
#if BUG != 4
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = whole(m.indices, i);
    if (at < 0 || at >= columns) {
      TVM_FFI_THROW(IndexError) << "indices must be from 0 to " << columns - 1 << ", and element "
                                << i << " is " << at;
    }
  }
#endif
  m.alpha = alpha;
  m.beta = beta;
  if (same_type(m.values.dtype, kF32)) {
    run<float>(m, num_threads);
  } else {
    run<double>(m, num_threads);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_spmm, csr_spmm);
