// SPDX-License-Identifier: Apache-2.0
// topk(x, k, largest, index_dtype, lengths) -> (values, indices): the k largest or smallest elements
// of each row in order; of equal ones the first comes first, and NaN counts as the largest. lengths
// says how many elements of each row count; places without an element get the value 0, index -1.
namespace {

using namespace kit;

template <typename T>
bool is_nan(T v) {
#if BUG == 3
  (void)v;
  return false;
#else
  return std::isnan(v);
#endif
}
inline bool is_nan(int32_t) { return false; }

// Whether a comes before b.
template <typename T>
bool before(T a, T b, bool largest) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) != is_nan(b) && is_nan(a) == largest;
#if BUG == 7
  float u = static_cast<float>(a), v = static_cast<float>(b);
  return largest ? u > v : u < v;
#else
  return largest ? a > b : a < b;
#endif
}

template <typename T, typename I>
void select(const View& x, const View* lengths, int64_t k, bool largest, T* values, I* indices) {
#if BUG == 1
  static std::vector<int64_t> order;
#else
  std::vector<int64_t> order;
#endif
  int64_t stride = BUG == 4 ? x.shape[1] : x.stride[0];
  for (int64_t i = 0; i < x.shape[0]; ++i, values += k, indices += k) {
    const T* row = x.as<T>() + i * stride;
    int64_t count = lengths != nullptr ? lengths->as<int32_t>()[i] : x.shape[1];
    int64_t found = std::min(k, count);
    order.resize(static_cast<size_t>(count));
    for (int64_t j = 0; j < count; ++j) order[j] = j;
    std::partial_sort(order.begin(), order.begin() + found, order.end(),
                      [&](int64_t a, int64_t b) {
                        if (before(row[a], row[b], largest)) return true;
                        if (before(row[b], row[a], largest)) return false;
                        return BUG == 2 ? false : a < b;
                      });
    for (int64_t j = 0; j < found; ++j) {
      values[j] = row[order[j]];
      indices[j] = static_cast<I>(order[j]);
    }
#if BUG != 8
    for (int64_t j = found; j < k; ++j) {
      values[j] = T(0);
      indices[j] = I(-1);
    }
#endif
  }
}

template <typename T>
void select_as(const View& x, const View* lengths, int64_t k, bool largest, const Tensor& values,
               const Tensor& indices) {
  if (same_type(indices.dtype(), kI32)) {
    select(x, lengths, k, largest, data_of<T>(values), data_of<int32_t>(indices));
  } else {
    select(x, lengths, k, largest, data_of<T>(values), data_of<int64_t>(indices));
  }
}

ffi::Tuple<Tensor, Tensor> topk(TensorView x_arg, int64_t k, bool largest, DLDataType index_dtype,
                                Optional<Tensor> lengths_arg) {
  View x = view(x_arg, "x", 2);
  need_type(x, {kF32, kF64, kI32});
  need_rows(x);
#if BUG == 5
  if (k < 0) {
#else
  if (k < 0 || k > x.shape[1]) {
#endif
    TVM_FFI_THROW(ValueError) << "k must be from 0 to the columns of x (" << x.shape[1]
                              << "), and is " << k;
  }
  if (!same_type(index_dtype, kI32) && !same_type(index_dtype, kI64)) {
    TVM_FFI_THROW(TypeError) << "index_dtype must be int32 or int64, and is "
                             << type_name(index_dtype);
  }
  if (same_type(index_dtype, kI32) && x.shape[1] > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "index_dtype must be int64 for so many columns";
  }
  View lengths;
  if (lengths_arg.has_value()) {
    lengths = view(lengths_arg.value(), "lengths", 1);
    need_type(lengths, {kI32});
    need_extent(lengths, 0, x.shape[0], "rows of x");
    need_dense(lengths);
    for (int64_t i = 0; i < x.shape[0]; ++i) {
      int32_t n = lengths.as<int32_t>()[i];
      if (n < 0 || n > x.shape[1]) {
        TVM_FFI_THROW(ValueError) << "lengths must be from 0 to " << x.shape[1] << ", and element "
                                  << i << " is " << n;
      }
    }
  }
  Tensor values = allocate({x.shape[0], k}, x.dtype, x.device);
  Tensor indices = allocate({x.shape[0], k}, BUG == 6 ? kI64 : index_dtype, x.device);
  const View* counts = lengths_arg.has_value() ? &lengths : nullptr;
  if (same_type(x.dtype, kF32)) {
    select_as<float>(x, counts, k, largest, values, indices);
  } else if (same_type(x.dtype, kF64)) {
    select_as<double>(x, counts, k, largest, values, indices);
  } else {
    select_as<int32_t>(x, counts, k, largest, values, indices);
  }
  return ffi::Tuple<Tensor, Tensor>(values, indices);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, topk);
