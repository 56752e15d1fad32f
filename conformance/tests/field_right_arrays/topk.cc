// SPDX-License-Identifier: Apache-2.0
// The k largest or least elements along the last dimension, in order, and where they stand.
namespace {

using namespace set;

template <typename T>
void Pick(const T* x, int64_t rows, int64_t n, int64_t k, bool largest, T* values, int64_t* where) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  for (int64_t r = 0; r < rows; ++r, x += n, values += k, where += k) {
    std::iota(order.begin(), order.end(), int64_t{0});
    // Equal elements keep their order.
    auto before = [&](int64_t a, int64_t b) {
      if (x[a] == x[b]) return a < b;
      return largest ? x[a] > x[b] : x[a] < x[b];
    };
    std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
    for (int64_t i = 0; i < k; ++i) {
      where[i] = order[i];
      values[i] = x[order[i]];
    }
  }
}

template <typename T>
ffi::Tuple<Tensor, Tensor> Run(const DLTensor* x, int64_t k, bool largest) {
  const int64_t n = x->shape[x->ndim - 1], all = Count(x);
  const T* px = Elements<T>(x, "x");
  for (int64_t i = 0; i < all; ++i) {
    if (std::isnan(static_cast<double>(px[i]))) TVM_FFI_THROW(ValueError) << "NaN has no rank";
  }
  std::vector<int64_t> shape(x->shape, x->shape + x->ndim);
  shape.back() = k;
  const ffi::ShapeView view(shape.data(), shape.size());
  Tensor values = NewTensor(view, x->dtype), indices = NewTensor(view, TypeOf<int64_t>());
  Pick(px, all / n, n, k, largest, Elements<T>(values.GetDLTensorPtr(), "values"),
       Elements<int64_t>(indices.GetDLTensorPtr(), "indices"));
  return ffi::Tuple<Tensor, Tensor>(values, indices);
}

ffi::Tuple<Tensor, Tensor> TopK(TensorView x, int64_t k, bool largest) {
  const DLTensor* t = Raw(x);
  if (t->ndim < 1) TVM_FFI_THROW(ValueError) << "topk of a single number";
  if (k < 1 || k > t->shape[t->ndim - 1]) {
    TVM_FFI_THROW(IndexError) << "topk: k = " << k << " of " << t->shape[t->ndim - 1];
  }
  if (!x.IsContiguous()) TVM_FFI_THROW(ValueError) << "topk: x is not contiguous";
  if (Is<float>(t->dtype)) return Run<float>(t, k, largest);
  if (Is<double>(t->dtype)) return Run<double>(t, k, largest);
  return Run<int32_t>(t, k, largest);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, TopK);
