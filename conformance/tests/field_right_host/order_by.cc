// SPDX-License-Identifier: Apache-2.0
// A stable order of numbers by a callback: compare(a, b) is negative where a comes first, and
// positive where b does. Whatever it says, each index is there once.
using tvm::ffi::Function;
using tvm::ffi::Optional;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

namespace {

// std::stable_sort may not be given an order that contradicts itself; this may.
template <typename Less>
void merge_sort(std::vector<int64_t>& a, Less less) {
  std::vector<int64_t> b(a.size());
  size_t n = a.size();
  for (size_t run = 1; run < n; run *= 2) {
    for (size_t low = 0; low < n; low += 2 * run) {
      size_t mid = std::min(low + run, n), high = std::min(low + 2 * run, n);
      size_t i = low, j = mid, k = low;
      while (i < mid && j < high) b[k++] = less(a[j], a[i]) ? a[j++] : a[i++];
      while (i < mid) b[k++] = a[i++];
      while (j < high) b[k++] = a[j++];
    }
    a.swap(b);
  }
}

Tensor order(TensorView x, Optional<Function> compare) {
  const double* src = kit::dense<double>(x, "x", 1);
  // The callback may do anything, also to x: it is asked about what x was.
  std::vector<double> value(src, src + x.size(0));
  std::vector<int64_t> index(value.size());
  std::iota(index.begin(), index.end(), 0);
  if (compare.has_value()) {
    Function ask = *compare;
    merge_sort(index, [&](int64_t i, int64_t j) {
      double sign = ask(value[i], value[j]).cast<double>();
      if (std::isnan(sign)) TVM_FFI_THROW(ValueError) << "compare gave no number";
      return sign < 0;
    });
  } else {
    merge_sort(index, [&](int64_t i, int64_t j) { return value[i] < value[j]; });
  }
  Tensor out = kit::own({x.size(0)}, kit::type_of<int64_t>());
  std::copy(index.begin(), index.end(), kit::start<int64_t>(out));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(order_by, order);
