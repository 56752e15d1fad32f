// SPDX-License-Identifier: Apache-2.0
// Running sums along an axis of a matrix, in place.
namespace {

using namespace set;

// Integers wrap around; floats are summed as doubles.
template <typename T>
using SumOf = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;

template <typename T>
void Line(T* at, int64_t length, int64_t step, bool exclusive, bool reverse) {
  if (reverse) {
    at += (length - 1) * step;
    step = -step;
  }
  SumOf<T> sum = 0;
  for (int64_t i = 0; i < length; ++i, at += step) {
    const SumOf<T> next = sum + static_cast<SumOf<T>>(*at);
    *at = static_cast<T>(exclusive ? sum : next);
    sum = next;
  }
}

template <typename T>
void Run(const DLTensor* x, int axis, bool exclusive, bool reverse) {
  T* data = Elements<T>(x, "x");
  const int other = 1 - axis;
  const int64_t length = x->shape[axis];
  if (length == 0) return;
  for (int64_t i = 0; i < x->shape[other]; ++i) {
    Line(data + i * Stride(x, other), length, Stride(x, axis), exclusive, reverse);
  }
}

void Cumsum(TensorView x, int64_t axis, bool exclusive, bool reverse) {
  const DLTensor* t = Raw(x);
  NeedRank(t, 2, "x");
  if (axis < -2 || axis > 1) TVM_FFI_THROW(IndexError) << "axis out of range: " << axis;
  const int a = static_cast<int>(axis < 0 ? axis + 2 : axis);
  if (Is<int32_t>(t->dtype)) return Run<int32_t>(t, a, exclusive, reverse);
  if (Is<int64_t>(t->dtype)) return Run<int64_t>(t, a, exclusive, reverse);
  if (Is<double>(t->dtype)) return Run<double>(t, a, exclusive, reverse);
  return Run<float>(t, a, exclusive, reverse);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cumsum, Cumsum);
