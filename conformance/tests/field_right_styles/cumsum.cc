// SPDX-License-Identifier: Apache-2.0
// Running sums of a matrix, along rows or columns, from either end.
using x4::ffi::Tensor;
using x4::ffi::TensorView;

template <typename T>
struct Wrapping {
  using Work = T;
};
template <>
struct Wrapping<int64_t> {
  using Work = uint64_t;  // sums of integers may wrap
};

template <typename T>
static void run(const T* x, T* y, int64_t lines, int64_t length, int64_t line_step, int64_t step,
                bool reverse) {
  using W = typename Wrapping<T>::Work;
  for (int64_t l = 0; l < lines; ++l) {
    W sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = l * line_step + (reverse ? length - 1 - i : i) * step;
      sum += static_cast<W>(x[at]);
      y[at] = static_cast<T>(sum);
    }
  }
}

static Tensor cumsum(TensorView x, int64_t axis, bool reverse) {
  if (x.ndim() != 2) {
    TVM_FFI_THROW(ValueError) << "cumsum: " << x.ndim() << " dimensions instead of 2";
  }
  if (axis < -2 || axis > 1) TVM_FFI_THROW(IndexError) << "cumsum: no axis " << axis;
  x4::plain(x, "x");
  int64_t m = x.size(0), n = x.size(1);
  bool down = axis == 0 || axis == -2;
  auto go = [&](auto zero) {
    using T = decltype(zero);
    Tensor y = x4::make(x.shape(), x.dtype());
    if (x4::count(x.shape()) == 0) return y;
    if (down) {
      run(x4::first<T>(x), x4::first<T>(y), n, m, 1, n, reverse);
    } else {
      run(x4::first<T>(x), x4::first<T>(y), m, n, n, 1, reverse);
    }
    return y;
  };
  if (x4::holds<double>(x.dtype())) return go(double{});
  if (x4::holds<int64_t>(x.dtype())) return go(int64_t{});
  TVM_FFI_THROW(TypeError) << "cumsum: not for " << x.dtype();
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cumsum, cumsum);
