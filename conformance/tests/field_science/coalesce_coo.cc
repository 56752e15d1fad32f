// SPDX-License-Identifier: Apache-2.0
// Sorts the entries of a sparse matrix in coordinates by row and column, and merges those of equal place.
// Returns (rows, cols, values) of the places, allocated from the environment; `inverse`, if given, gets for each
// entry the place it went to.
namespace {

template <typename I, typename T>
ffi::Tuple<Tensor, Tensor, Tensor> run(const I* rows, const I* cols, const T* values, int64_t nnz, int64_t ncols,
                                       int64_t* inverse, bool keep_last, DLDataType itype, DLDataType vtype,
                                       DLDevice device) {
  std::vector<int64_t> order(nnz);
  for (int64_t i = 0; i < nnz; ++i) order[i] = i;
#if BUG == 5
  auto key = [=](int64_t i) { return static_cast<I>(rows[i] * static_cast<I>(ncols) + cols[i]); };
  auto less = [=](int64_t a, int64_t b) { return key(a) < key(b); };
#else
  auto less = [=](int64_t a, int64_t b) { return rows[a] != rows[b] ? rows[a] < rows[b] : cols[a] < cols[b]; };
#endif
#if BUG == 4
  std::sort(order.begin(), order.end(), less);
#else
  std::stable_sort(order.begin(), order.end(), less);
#endif
  int64_t count = 0;
  for (int64_t k = 0; k < nnz; ++k) count += k == 0 || less(order[k - 1], order[k]);
#if BUG == 2
  Tensor r = alloc({nnz}, itype, device), c = alloc({nnz}, itype, device), v = alloc({nnz}, vtype, device);
#elif BUG == 3
  Tensor r = alloc({count}, kI64, device), c = alloc({count}, kI64, device), v = alloc({count}, vtype, device);
  using O = int64_t;
#else
  Tensor r = alloc({count}, itype, device), c = alloc({count}, itype, device), v = alloc({count}, vtype, device);
#endif
#if BUG == 3
  O* rp = data<O>(r, "rows");
  O* cp = data<O>(c, "cols");
#else
  I* rp = data<I>(r, "rows");
  I* cp = data<I>(c, "cols");
#endif
  T* vp = data<T>(v, "values");
  int64_t at = -1;
  for (int64_t k = 0; k < nnz; ++k) {
    const int64_t i = order[k];
    if (k == 0 || less(order[k - 1], i)) {
      ++at;
      rp[at] = rows[i];
      cp[at] = cols[i];
      vp[at] = values[i];
    } else if (keep_last) {
      vp[at] = values[i];
    } else {
      using Sum = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
      vp[at] = static_cast<T>(static_cast<Sum>(vp[at]) + static_cast<Sum>(values[i]));
    }
    if (inverse) inverse[i] = at;
  }
  return ffi::Tuple<Tensor, Tensor, Tensor>(r, c, v);
}

template <typename I>
ffi::Tuple<Tensor, Tensor, Tensor> checked(TensorView rows, TensorView cols, TensorView values, const Shape& shape,
                                           bool keep_last, const Optional<Tensor>& inverse) {
  const int64_t nnz = rows.size(0);
  const I* r = data<I>(rows, "rows");
  const I* c = data<I>(cols, "cols");
  for (int64_t i = 0; i < nnz; ++i) {
    REQUIRE(r[i] >= 0 && r[i] < shape[0], IndexError, "row " << r[i] << " out of range");
#if BUG == 1
    REQUIRE(c[i] >= 0 && c[i] < shape[0], IndexError, "column " << c[i] << " out of range");
#else
    REQUIRE(c[i] >= 0 && c[i] < shape[1], IndexError, "column " << c[i] << " out of range");
#endif
  }
  int64_t* inv = inverse.has_value() ? data<int64_t>(*inverse, "inverse") : nullptr;
  const DLDataType v = values.dtype(), t = rows.dtype();
  if (same(v, kF64)) {
    return run<I, double>(r, c, data<double>(values, "values"), nnz, shape[1], inv, keep_last, t, v, rows.device());
  }
  if (same(v, kF32)) {
#if BUG == 6
    const float* p = static_cast<const float*>(values.data_ptr());
#else
    const float* p = data<float>(values, "values");
#endif
    return run<I, float>(r, c, p, nnz, shape[1], inv, keep_last, t, v, rows.device());
  }
  return run<I, int32_t>(r, c, data<int32_t>(values, "values"), nnz, shape[1], inv, keep_last, t, v, rows.device());
}

ffi::Tuple<Tensor, Tensor, Tensor> coalesce_coo(TensorView rows, TensorView cols, TensorView values, Shape shape,
                                                String duplicates, Optional<Tensor> inverse) {
  check_cpu(rows, "rows");
  check_cpu(cols, "cols");
  check_cpu(values, "values");
  check_rank(rows, 1, "rows");
  check_rank(cols, 1, "cols");
  check_rank(values, 1, "values");
  check_extent(cols, 0, rows.size(0), "cols");
  check_extent(values, 0, rows.size(0), "values");
  check_contiguous(rows, "rows");
  check_contiguous(cols, "cols");
  check_contiguous(values, "values");
  REQUIRE(same(rows.dtype(), kI32) || same(rows.dtype(), kI64), TypeError, "rows must be int32 or int64");
  REQUIRE(same(cols.dtype(), rows.dtype()), TypeError, "cols must have the type of rows");
  REQUIRE(same(values.dtype(), kF32) || same(values.dtype(), kF64) || same(values.dtype(), kI32), TypeError,
          "values must be float32, float64 or int32");
  REQUIRE(shape.size() == 2, ValueError, "shape must have two extents");
  REQUIRE(shape[0] >= 0 && shape[1] >= 0, ValueError, "extents must not be negative");
  const bool keep_last = duplicates == "keep_last";
  REQUIRE(keep_last || duplicates == "sum", ValueError, "unknown mode " << duplicates);
  if (inverse.has_value()) {
    const Tensor t = *inverse;
    check_cpu(t, "inverse");
    check_rank(t, 1, "inverse");
    check_extent(t, 0, rows.size(0), "inverse");
    check_contiguous(t, "inverse");
    REQUIRE(same(t.dtype(), kI64), TypeError, "inverse must be int64");
  }
  if (rows.dtype().bits == 64) return checked<int64_t>(rows, cols, values, shape, keep_last, inverse);
  return checked<int32_t>(rows, cols, values, shape, keep_last, inverse);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(coalesce_coo, coalesce_coo);
