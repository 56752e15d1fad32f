// SPDX-License-Identifier: Apache-2.0
// The k largest of each row, largest first, and where they stand.
using namespace x4;
using ffi::Tensor;
using ffi::TensorView;

namespace {

// NaN goes behind all numbers; equal elements keep their order.
template <typename T>
struct Before {
  const T* row;
  bool operator()(int64_t a, int64_t b) const {
    T x = row[a], y = row[b];
    if (x > y) return true;
    if (x < y) return false;
    if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
    return a < b;
  }
};

template <typename T>
void run(const TensorView& x, int64_t k, const Tensor& values, const Tensor& places) {
  int64_t m = x.size(0), n = x.size(1);
  std::vector<int64_t> order(static_cast<size_t>(m == 0 ? 0 : n));
  T* v = first<T>(values);
  int64_t* p = first<int64_t>(places);
  for (int64_t i = 0; i < m; ++i) {
    const T* row = first<T>(x) + i * n;
    std::iota(order.begin(), order.end(), int64_t{0});
    std::partial_sort(order.begin(), order.begin() + k, order.end(), Before<T>{row});
    for (int64_t j = 0; j < k; ++j) {
      *v++ = row[order[j]];
      *p++ = order[j];
    }
  }
}

ffi::Tuple<Tensor, Tensor> topk(TensorView x, int64_t k) {
  TVM_FFI_CHECK(x.ndim() == 2, ValueError) << "x has to be a matrix";
  TVM_FFI_CHECK(holds<float>(x.dtype()) || holds<double>(x.dtype()), TypeError)
      << "x has to be of float32 or float64";
  plain(x, "x");
  if (k < 1 || k > x.size(1)) TVM_FFI_THROW(ValueError) << "k has to be from 1 to " << x.size(1);
  Tensor values = make({x.size(0), k}, x.dtype());
  Tensor places = make({x.size(0), k}, type_of<int64_t>());
  if (holds<float>(x.dtype())) {
    run<float>(x, k, values, places);
  } else {
    run<double>(x, k, values, places);
  }
  return ffi::Tuple<Tensor, Tensor>(values, places);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, topk);
