// SPDX-License-Identifier: Apache-2.0
// The k largest or smallest elements of each row, in order; of equal ones the first comes first.
using namespace tvm::ffi;

namespace {

template <typename T>
bool undefined(T v) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(v);
  return false;
}

template <typename T>
void select(const TensorView& x, int64_t stride, int64_t k, bool largest, Tensor* values,
            Tensor* places) {
  const int64_t n = x.size(1);
  T* value = set::begin<T>(*values);
  int64_t* place = set::begin<int64_t>(*places);
  std::vector<int64_t> order(static_cast<size_t>(n));
  for (int64_t r = 0; r < x.size(0); ++r) {
    const T* row = set::begin<const T>(x) + r * stride;
    // NaN is behind all others in either direction.
    auto before = [row, largest](int64_t i, int64_t j) {
      const bool ni = undefined(row[i]), nj = undefined(row[j]);
      if (ni != nj) return nj;
      if (!ni && row[i] != row[j]) return largest ? row[i] > row[j] : row[i] < row[j];
      return i < j;
    };
    std::iota(order.begin(), order.end(), int64_t{0});
    std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
    for (int64_t i = 0; i < k; ++i) {
      *value++ = row[order[i]];
      *place++ = order[i];
    }
  }
}

Tuple<Tensor, Tensor> topk(TensorView x, int64_t k, bool largest) {
  set::host(x, 2, "x");
  const int64_t b = x.size(0), n = x.size(1);
  // Rows may lie anywhere, but their elements side by side.
  int64_t stride = n;
  if (b > 0 && n > 0 && !x.IsContiguous()) {
    if (n > 1 && x.stride(1) != 1) TVM_FFI_THROW(ValueError) << "rows of x have gaps";
    stride = b > 1 ? x.stride(0) : 0;
  }
  if (k < 0 || k > n) TVM_FFI_THROW(ValueError) << "k must be from 0 to " << n << ", not " << k;

  const bool known = set::same(x.dtype(), set::kU8) || set::same(x.dtype(), set::kI64) ||
                     set::same(x.dtype(), set::kF32);
  if (!known) TVM_FFI_THROW(TypeError) << "no top-k of " << DLDataTypeToString(x.dtype());
  Tensor values = set::make({b, k}, x.dtype());
  Tensor places = set::make({b, k}, set::kI64);
  if (b > 0 && k > 0) {
    switch (x.dtype().code) {
      case kDLUInt:
        select<uint8_t>(x, stride, k, largest, &values, &places);
        break;
      case kDLInt:
        select<int64_t>(x, stride, k, largest, &values, &places);
        break;
      default:
        select<float>(x, stride, k, largest, &values, &places);
    }
  }
  return Tuple<Tensor, Tensor>(std::move(values), std::move(places));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk_rows, topk);
