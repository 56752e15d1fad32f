// SPDX-License-Identifier: Apache-2.0
// Sparse times dense: out = alpha * reduce(A, x) + beta * out with A in CSR format. Rows of A are
// shared among threads; each row is worked out by one of them, so that results do not depend on
// their number.
namespace {

using namespace set;

template <typename I>
void CheckStructure(const Arg& indptr, const Arg& indices, int64_t m, int64_t k) {
  const I* at = indptr.as<I>();
  const I* column = indices.as<I>();
  const int64_t nnz = indices.size(0);
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0, not " << int64_t{at[0]};
  for (int64_t r = 0; r < m; ++r) {
    if (at[r + 1] < at[r]) TVM_FFI_THROW(ValueError) << "indptr must not decrease, as after " << r;
  }
#if BUG == 1
  if (at[m] < nnz) {
    TVM_FFI_THROW(ValueError) << "indptr must cover all " << nnz << " indices";
  }
#else
  if (at[m] != nnz) {
    TVM_FFI_THROW(ValueError) << "indptr must end with the number of indices, " << nnz << ", not "
                              << int64_t{at[m]};
  }
#endif
  std::atomic<int64_t> bad{-1};
  auto check = [&](int64_t begin, int64_t end, int) {
    for (int64_t i = begin; i < end; ++i) {
      if (column[i] < 0 || column[i] >= k) bad = i;
    }
  };
  ParallelFor(nnz, nnz > 20000 ? 2 : 1, check);
#if BUG == 2
  const bool refused = bad > 0;
#else
  const bool refused = bad >= 0;
#endif
  if (refused) {
    TVM_FFI_THROW(IndexError) << "indices[" << bad.load() << "] is " << int64_t{column[bad.load()]}
                              << ", and x has " << k << " rows";
  }
}

template <typename T, typename I>
void Multiply(const Arg& indptr, const Arg& indices, const Arg* values, const Arg& x,
              const Arg& out, double alpha, double beta, bool mean, int64_t threads) {
  const int64_t m = out.size(0), n = out.size(1);
  const I* at = indptr.as<I>();
  const I* column = indices.as<I>();
#if BUG == 4
  std::vector<double> shared(n);
#endif
  auto rows = [&](int64_t begin, int64_t end, int part) {
    (void)part;
#if BUG == 4
    std::vector<double>& sum = shared;
#else
    std::vector<double> sum(n);
#endif
#if BUG == 3
    if (part > 0) --begin;  // the row at the border
#endif
    for (int64_t r = begin; r < end; ++r) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (int64_t i = at[r]; i < at[r + 1]; ++i) {
        const double factor = values != nullptr ? Get(values->as<T>()[i]) : 1.0;
        const T* from = x.as<T>() + column[i] * x.stride(0);
        for (int64_t j = 0; j < n; ++j) sum[j] += factor * Get(from[j]);
      }
#if BUG == 5
      const double divisor = mean ? static_cast<double>(at[r + 1] - at[r]) : 1.0;
#else
      const int64_t entries = at[r + 1] - at[r];
      const double divisor = mean && entries > 0 ? static_cast<double>(entries) : 1.0;
#endif
      T* to = out.as<T>() + r * out.stride(0);
      for (int64_t j = 0; j < n; ++j) {
#if BUG == 6
        to[j] = Make<T>::From(alpha * (sum[j] / divisor) + beta * Get(to[j]));
#else
        const double old = beta == 0 ? 0.0 : beta * Get(to[j]);  // may be NaN where beta is 0
        to[j] = Make<T>::From(alpha * (sum[j] / divisor) + old);
#endif
      }
    }
  };
  ParallelFor(m, threads, rows);
}

void CsrSpmm(DLTensor* indptr_arg, DLTensor* indices_arg, ffi::Optional<ffi::Tensor> values_arg,
             DLTensor* x_arg, DLTensor* out_arg, double alpha, double beta, ffi::String reduce,
             int64_t num_threads) {
  const auto types = {Type::kF32, Type::kF64, Type::kBF16};
  const auto index_types = {Type::kI32, Type::kI64};
  const Arg indptr(indptr_arg, "indptr", index_types, 1);
  const Arg indices(indices_arg, "indices", index_types, 1);
  const Arg x(x_arg, "x", types, 2, Layout::kRows);
  const Arg out(out_arg, "out", types, 2, Layout::kRows);
  indices.SameType(indptr);
  out.SameType(x);
  const int64_t m = out.size(0), n = out.size(1);
#if BUG == 7
  if (indptr.size(0) < m + 1) {
    TVM_FFI_THROW(ValueError) << "indptr must have an element for each row of out, and one more";
  }
#else
  indptr.Extent(0, m + 1, "one more than the rows of out");
#endif
#if BUG == 8
  if (n > x.size(1)) TVM_FFI_THROW(ValueError) << "out must not be wider than x";
#else
  out.Extent(1, x.size(1), "the columns of x");
#endif
  out.RowsApart();
  std::vector<Arg> optional;
  const Arg* values = nullptr;
  ffi::Optional<ffi::Tensor> held = values_arg;
  if (held.has_value()) {
    optional.emplace_back(Pointer(held.value()), "values", types, 1);
    values = &optional[0];
    values->SameType(x);
    values->Extent(0, indices.size(0), "one for each index");
  }
  Finite(alpha, "alpha");
  Finite(beta, "beta");
  if (reduce != "sum" && reduce != "mean") {
    TVM_FFI_THROW(ValueError) << "reduce must be sum or mean, not \"" << std::string(reduce)
                              << "\"";
  }
  if (num_threads < 0 || num_threads > 64) {
    TVM_FFI_THROW(ValueError) << "num_threads must be 0 (as many as suit) to 64, not "
                              << num_threads;
  }
  int64_t threads = num_threads;
  if (threads == 0) {
    const int64_t machine = std::max<int64_t>(1, std::thread::hardware_concurrency());
    threads = indices.size(0) * n > 100000 ? std::min<int64_t>(machine, 16) : 1;
  }
  WithIndex(indptr.type(), [&](auto index) {
    using I = decltype(index);
    CheckStructure<I>(indptr, indices, m, x.size(0));
    WithFloat(x.type(), [&](auto value) {
      Multiply<decltype(value), I>(indptr, indices, values, x, out, alpha, beta, reduce == "mean",
                                   threads);
    });
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csr_spmm, CsrSpmm);
