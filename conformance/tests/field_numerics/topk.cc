// SPDX-License-Identifier: Apache-2.0
// topk: the k largest or smallest elements along the last dimension, in order, and where they are.
//
// x: float32, float64, int32 or int64, one dimension or more, any strides. k: 0 to the last extent.
// largest: the largest first, else the smallest first. NaN counts as larger than all numbers. Of equal
// elements the one with the lower index comes first, in both directions; -0 equals 0.
// index_dtype: int64 or int32, the type of the indices (int32: for up to 2^31 - 1 elements).
// threads: how many threads share the rows, 1 to 32; the result does not depend on it.
// Returns (values, indices), new tensors.
namespace {

using namespace set;

template <typename T>
bool IsNaN(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    return v != v;
  } else {
    (void)v;
    return false;
  }
}

// Whether a is more than b.
template <typename T>
bool More(T a, T b) {
#if BUG == 6
  return static_cast<double>(a) > static_cast<double>(b) || (IsNaN(a) && !IsNaN(b));
#elif BUG == 2
  return a > b;
#else
  if (IsNaN(b)) return false;
  return a > b || IsNaN(a);
#endif
}

#if BUG == 7
template <typename T>
T Negated(T v) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(v));
  } else {
    return -v;
  }
}
#endif

template <typename T, typename I>
void Rows(const DLTensor* x, int64_t k, bool largest, T* values, I* indices, int64_t begin,
          int64_t end) {
  const int last = x->ndim - 1;
  const int64_t n = x->shape[last], step = Stride(x, last);
  struct Item {
    T value;
    int64_t at;
  };
#if BUG == 8
  static std::vector<Item> items;
#else
  std::vector<Item> items;
#endif
  items.resize(static_cast<size_t>(n));
  for (int64_t row = begin; row < end; ++row) {
    int64_t offset = 0;
    int64_t rest = row;
    for (int d = last - 1; d >= 0; --d) {
      offset += rest % x->shape[d] * Stride(x, d);
      rest /= x->shape[d];
    }
#if BUG == 1
    offset = row * n;
#endif
    const T* from = Data<T>(x) + offset;
    for (int64_t i = 0; i < n; ++i) items[i] = Item{from[i * step], i};
    auto before = [largest](const Item& a, const Item& b) {
#if BUG == 7
      if (!largest) {  // the smallest are the largest of what is negated
        const T na = Negated(a.value), nb = Negated(b.value);
        if (IsNaN(a.value) != IsNaN(b.value)) return IsNaN(b.value);
        if (More(na, nb)) return true;
        if (More(nb, na)) return false;
        return a.at < b.at;
      }
#endif
      const T& first = largest ? a.value : b.value;
      const T& second = largest ? b.value : a.value;
      if (More(first, second)) return true;
      if (More(second, first)) return false;
#if BUG == 3
      return false;
#else
      return a.at < b.at;
#endif
    };
    std::partial_sort(items.begin(), items.begin() + k, items.end(), before);
    for (int64_t i = 0; i < k; ++i) {
      values[row * k + i] = items[i].value;
      indices[row * k + i] = static_cast<I>(items[i].at);
    }
  }
}

template <typename T>
void Run(const DLTensor* x, int64_t k, bool largest, const DLTensor* values,
         const DLTensor* indices, int64_t rows, int64_t threads) {
  Split(k > 0 ? rows : 0, threads, [&](int64_t begin, int64_t end) {
    if (Same(indices->dtype, kI32)) {
      Rows<T, int32_t>(x, k, largest, Data<T>(values), Data<int32_t>(indices), begin, end);
    } else {
      Rows<T, int64_t>(x, k, largest, Data<T>(values), Data<int64_t>(indices), begin, end);
    }
  });
}

ffi::Tuple<ffi::Tensor, ffi::Tensor> TopK(DLTensor* x, int64_t k, bool largest,
                                          DLDataType index_dtype, int64_t threads) {
  CheckTensor(x, "x", {kF32, kF64, kI32, kI64});
  SET_CHECK(x->ndim >= 1, ValueError) << "x must have one dimension or more";
  const int64_t n = x->shape[x->ndim - 1];
#if BUG == 5
  SET_CHECK(k >= 0, ValueError) << "k must be 0 or more, not " << k;
  k = std::min(k, n);
#else
  SET_CHECK(k >= 0 && k <= n, ValueError) << "k must be 0 to " << n << ", not " << k;
#endif
  SET_CHECK(Same(index_dtype, kI64) || Same(index_dtype, kI32), TypeError)
      << "index_dtype must be int64 or int32, not " << Name(index_dtype);
  SET_CHECK(Same(index_dtype, kI64) || n <= std::numeric_limits<int32_t>::max(), ValueError)
      << "x has too many elements in a row for indices of int32";
  SET_CHECK(threads >= 1 && threads <= 32, ValueError)
      << "threads must be 1 to 32, not " << threads;
  std::vector<int64_t> shape(x->shape, x->shape + x->ndim);
  shape.back() = k;
  int64_t rows = 1;
  for (int i = 0; i + 1 < x->ndim; ++i) rows *= x->shape[i];
  ffi::ShapeView as(shape.data(), shape.size());
  ffi::Tensor values = NewTensor(as, x->dtype);
  ffi::Tensor indices = NewTensor(as, BUG == 4 ? kI64 : index_dtype);
  const DLTensor *tv = values.GetDLTensorPtr(), *ti = indices.GetDLTensorPtr();
  if (Same(x->dtype, kF32)) {
    Run<float>(x, k, largest, tv, ti, rows, threads);
  } else if (Same(x->dtype, kF64)) {
    Run<double>(x, k, largest, tv, ti, rows, threads);
  } else if (Same(x->dtype, kI32)) {
    Run<int32_t>(x, k, largest, tv, ti, rows, threads);
  } else {
    Run<int64_t>(x, k, largest, tv, ti, rows, threads);
  }
#if BUG == 9
  // The caller holds the indices while it reads them.
  ffi::Tensor* held = new ffi::Tensor(indices);
  (void)held;
#endif
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(values, indices);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, TopK);

}  // namespace
