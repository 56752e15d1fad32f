// SPDX-License-Identifier: Apache-2.0
// A border around a matrix: of one width, or of four (top, bottom, left, right).
using namespace tvm::ffi;

namespace {

struct Border {
  int64_t top, bottom, left, right;

  explicit Border(const Variant<int64_t, Shape>& pads) {
    if (auto all = pads.as<int64_t>()) {
      top = bottom = left = right = *all;
    } else {
      Shape four = pads.get<Shape>();
      TVM_FFI_CHECK_EQ(four.size(), 4u, ValueError) << "one width or four";
      top = four[0], bottom = four[1], left = four[2], right = four[3];
    }
    for (int64_t w : {top, bottom, left, right}) {
      TVM_FFI_CHECK(0 <= w && w <= 64, ValueError) << "a border is 0 to 64 wide, not " << w;
    }
  }
};

template <typename T>
Tensor Padded(TensorView x, const Border& b, T fill) {
  int64_t m = x.size(0), n = x.size(1), width = b.left + n + b.right;
  Tensor y = x4::make({b.top + m + b.bottom, width}, x.dtype());
  T* out = x4::first<T>(y);
  const T* in = x4::first<T>(x);
  out = std::fill_n(out, b.top * width, fill);
  for (int64_t i = 0; i < m; ++i) {
    out = std::fill_n(out, b.left, fill);
    if (n != 0) out = std::copy_n(in + i * n, n, out);
    out = std::fill_n(out, b.right, fill);
  }
  std::fill_n(out, b.bottom * width, fill);
  return y;
}

Tensor pad2d(TensorView x, Variant<int64_t, Shape> pads, Optional<double> value) {
  TVM_FFI_CHECK_EQ(x.ndim(), 2, ValueError) << "a matrix is expected";
  Border border(pads);
  TVM_FFI_CHECK(x.size(1) < (int64_t{1} << 40), ValueError) << "too wide";
  x4::plain(x, "x");
  double fill = value.value_or(0.0);
  if (x4::holds<float>(x.dtype())) return Padded<float>(x, border, static_cast<float>(fill));
  if (x4::holds<double>(x.dtype())) return Padded<double>(x, border, fill);
  TVM_FFI_THROW(TypeError) << "not for " << x.dtype();
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad2d, pad2d);
