// SPDX-License-Identifier: Apache-2.0
// torch.nn.functional.pad over the last dimension: constant, reflect, replicate, circular.
namespace {
using namespace tvm::ffi;

enum class Mode { constant, reflect, replicate, circular };

Mode mode_of(const String& s) {
  static const std::map<std::string, Mode> names = {{"constant", Mode::constant},
                                                    {"reflect", Mode::reflect},
                                                    {"replicate", Mode::replicate},
                                                    {"circular", Mode::circular}};
  auto it = names.find(std::string(s.data(), s.size()));
  if (it == names.end()) TVM_FFI_THROW(NotImplementedError) << "Unrecognised padding mode " << s;
  return it->second;
}

// Where element i of the output (0 is the first one of the input) comes from; -1: the constant.
int64_t source(int64_t i, int64_t n, Mode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case Mode::reflect: return i < 0 ? -i : 2 * (n - 1) - i;
    case Mode::replicate: return i < 0 ? 0 : n - 1;
    case Mode::circular: return i < 0 ? i + n : i - n;
    default: return -1;
  }
}

Tensor pad1d(TensorView x, Tuple<int64_t, int64_t> pads, String mode_name, Optional<double> value) {
  const Mode mode = mode_of(mode_name);
  const int64_t left = pads.get<0>(), right = pads.get<1>();
  if (left < 0 || right < 0) TVM_FFI_THROW(ValueError) << "negative padding";
  if (left > 4096 || right > 4096) TVM_FFI_THROW(ValueError) << "padding of more than 4096";
  if (mode != Mode::constant && value.has_value()) {
    TVM_FFI_THROW(ValueError) << "Padding mode \"" << mode_name << "\" doesn't take in value argument";
  }
  if (x.ndim() < 1) TVM_FFI_THROW(ValueError) << "x needs a dimension";
  set::need_dense(x, "x", -1);
  const int64_t n = x.shape()[x.ndim() - 1];
  const int64_t most = std::max(left, right);
  if ((mode == Mode::reflect && most >= n && most > 0) || (mode == Mode::circular && most > n) ||
      (mode == Mode::replicate && n == 0 && most > 0)) {
    TVM_FFI_THROW(ValueError) << "Padding size should be less than the corresponding input dimension";
  }
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end());
  const int64_t wide = shape.back() = n + left + right;
  Tensor y = set::empty(ShapeView(shape.data(), shape.size()), x.dtype());
  std::vector<int64_t> from(static_cast<size_t>(wide));
  for (int64_t i = 0; i < wide; ++i) from[i] = source(i - left, n, mode);
  auto fill = [&](auto tag) {
    using T = decltype(tag);
    const T fixed = set::to<T>(value.value_or(0.0));
    const int64_t rows = wide == 0 ? 0 : y.numel() / wide;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t i = 0; i < wide; ++i) {
        set::ptr<T>(y)[r * wide + i] = from[i] < 0 ? fixed : set::ptr<T>(x)[r * n + from[i]];
      }
    }
  };
  if (set::is_f64(x.dtype())) {
    fill(double{});
  } else if (!set::for_float(x.dtype(), fill)) {
    TVM_FFI_THROW(NotImplementedError) << "pad1d is not implemented for this dtype";
  }
  return y;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pad1d, pad1d);
