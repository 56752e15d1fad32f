// SPDX-License-Identifier: Apache-2.0
// scatter_rows: merges rows into a table: table[index[i]] = merge(table[index[i]], src[i]).
//
// table: (r, d) of float32, float64 or int32, in place. src: (m, d) of the same type. Rows of both
// may lie anywhere. index: (m) of int32 or int64, contiguous, each -1 (this row of src is padding
// and left out) to r - 1. reduce: "sum" (int32 wraps), "max" (NaN wins) or "replace" (the last row
// with an index counts). counts: (r) of int32 or None: how many rows of src went to each row.
// All is checked first: a refused call has changed nothing.
namespace {

using namespace set;

enum class Reduce { kSum, kMax, kReplace };

template <typename T>
T Add(T a, T b) {
  if constexpr (std::is_same_v<T, int32_t>) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T Larger(T a, T b) {
#if BUG == 6
  return std::max(a, b);
#else
  return b > a || b != b ? b : a;
#endif
}

template <typename I>
void CheckIndex(const DLTensor* index, int64_t rows) {
  const I* at = Data<I>(index);
  for (int64_t i = 0; i < index->shape[0]; ++i) {
#if BUG == 3
    const int32_t v = static_cast<int32_t>(at[i]);
#else
    const int64_t v = at[i];
#endif
    SET_CHECK(v >= -1 && (BUG == 2 ? v <= rows : v < rows), IndexError)
        << "index[" << i << "] must be -1 to " << rows - 1 << ", not " << at[i];
  }
}

template <typename T, typename I>
void Run(const DLTensor* table, const DLTensor* index, const DLTensor* src, Reduce reduce,
         const DLTensor* counts) {
  const int64_t d = table->shape[1], m = index->shape[0];
#if BUG == 4
  const int64_t table_row = d;
#else
  const int64_t table_row = Stride(table, 0);
#endif
  const int64_t src_row = Stride(src, 0);
  const I* at = Data<I>(index);
  int32_t* count = counts != nullptr ? Data<int32_t>(counts) : nullptr;
#if BUG != 5
  if (count != nullptr) std::fill(count, count + table->shape[0], 0);
#endif
  for (int64_t i = 0; i < m; ++i) {
#if BUG == 1
    SET_CHECK(at[i] >= -1 && at[i] < table->shape[0], IndexError)
        << "index[" << i << "] must be -1 to " << table->shape[0] - 1 << ", not " << at[i];
#endif
#if BUG == 3
    int64_t row = static_cast<int32_t>(at[i]);
#else
    int64_t row = static_cast<int64_t>(at[i]);
#endif
#if BUG == 7
    if (row < 0) row += table->shape[0];
#else
    if (row < 0) continue;
#endif
    if (count != nullptr) ++count[row];
    if (d == 0) continue;
    T* y = Data<T>(table) + row * table_row;
    const T* x = Data<T>(src) + i * src_row;
    switch (reduce) {
      case Reduce::kSum:
        for (int64_t j = 0; j < d; ++j) y[j] = Add(y[j], x[j]);
        break;
      case Reduce::kMax:
        for (int64_t j = 0; j < d; ++j) y[j] = Larger(y[j], x[j]);
        break;
      case Reduce::kReplace:
        std::memmove(y, x, static_cast<size_t>(d) * sizeof(T));
        break;
    }
  }
}

template <typename T>
void Run(const DLTensor* table, const DLTensor* index, const DLTensor* src, Reduce reduce,
         const DLTensor* counts) {
  if (Same(index->dtype, kI32)) {
    Run<T, int32_t>(table, index, src, reduce, counts);
  } else {
    Run<T, int64_t>(table, index, src, reduce, counts);
  }
}

void ScatterRows(DLTensor* table, DLTensor* index, DLTensor* src, ffi::String reduce,
                 ffi::Optional<ffi::Tensor> counts) {
  CheckTensor(table, "table", {kF32, kF64, kI32});
  CheckTensor(index, "index", {kI32, kI64});
  CheckTensor(src, "src", {table->dtype});
  CheckRank(table, "table", 2);
  CheckRank(index, "index", 1);
#if BUG == 8
  CheckRank(src, "src", 2);
  SET_CHECK(src->shape[1] == table->shape[1], ValueError)
      << "src must have rows of " << table->shape[1] << ", not of " << src->shape[1];
#else
  CheckShape(src, "src", {index->shape[0], table->shape[1]});
#endif
  CheckRows(table, "table");
  CheckNoOverlap(table, "table");
  CheckRows(src, "src");
  CheckCompact(index, "index");
  const DLTensor* tcounts = Raw(counts);
  if (tcounts != nullptr) {
    CheckTensor(tcounts, "counts", {kI32});
    CheckShape(tcounts, "counts", {table->shape[0]});
    CheckCompact(tcounts, "counts");
  }
  Reduce how = Reduce::kSum;
  if (reduce == "max") {
    how = Reduce::kMax;
  } else if (reduce == "replace") {
    how = Reduce::kReplace;
  } else {
#if BUG != 9
    SET_CHECK(reduce == "sum", ValueError)
        << "reduce must be \"sum\", \"max\" or \"replace\", not \""
        << std::string(reduce.data(), reduce.size()) << "\"";
#endif
  }
#if BUG != 1
  if (Same(index->dtype, kI32)) {
    CheckIndex<int32_t>(index, table->shape[0]);
  } else {
    CheckIndex<int64_t>(index, table->shape[0]);
  }
#endif
  if (Same(table->dtype, kF32)) {
    Run<float>(table, index, src, how, tcounts);
  } else if (Same(table->dtype, kF64)) {
    Run<double>(table, index, src, how, tcounts);
  } else {
    Run<int32_t>(table, index, src, how, tcounts);
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scatter_rows, ScatterRows);

}  // namespace
