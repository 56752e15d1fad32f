// SPDX-License-Identifier: Apache-2.0
// conv2d (NCHW, float32) with stride, padding, dilation and groups; takes what torch.nn.functional
// takes: a number or a pair, and "same" or "valid" as padding.
using namespace tvm::ffi;

namespace {
using IntOrPair = Variant<int64_t, Tuple<int64_t, int64_t>>;
using Padding = Variant<int64_t, Tuple<int64_t, int64_t>, String>;

template <class V>
std::pair<int64_t, int64_t> pair_of(const V& v, const char* name, int64_t least, int64_t most) {
  int64_t a, b;
  if (auto one = v.template as<int64_t>()) {
    a = b = *one;
  } else {
    auto two = v.template get<Tuple<int64_t, int64_t>>();
    a = two.template get<0>(), b = two.template get<1>();
  }
  if (std::min(a, b) < least || std::max(a, b) > most) {
    TVM_FFI_THROW(ValueError) << name << " must be from " << least << " to " << most;
  }
  return {a, b};
}

Tensor conv2d(TensorView x, TensorView w, Optional<TensorView> bias, IntOrPair stride,
              Padding padding, IntOrPair dilation, int64_t groups) {
  set::need_dense(x, "input", 4);
  set::need_dense(w, "weight", 4);
  if (!set::is_f32(x.dtype()) || !set::is_f32(w.dtype())) {
    TVM_FFI_THROW(TypeError) << "float32 only";
  }
  const int64_t n = x.shape()[0], ci = w.shape()[1], h = x.shape()[2], wd = x.shape()[3];
  const int64_t co = w.shape()[0], kh = w.shape()[2], kw = w.shape()[3];
  if (groups < 1 || groups > 64) TVM_FFI_THROW(ValueError) << "groups must be from 1 to 64";
  if (co % groups != 0) TVM_FFI_THROW(ValueError) << "out_channels must be divisible by groups";
  if (x.shape()[1] != ci * groups) TVM_FFI_THROW(ValueError) << "channels do not match the weight";
  if (kh < 1 || kw < 1) TVM_FFI_THROW(ValueError) << "the kernel is empty";
  if (bias.has_value()) {
    set::need_dense(*bias, "bias", 1);
    if (!set::is_f32((*bias).dtype())) TVM_FFI_THROW(TypeError) << "bias must be float32";
    if ((*bias).shape()[0] != co) TVM_FFI_THROW(ValueError) << "bias has the wrong length";
  }
  const auto [sh, sw] = pair_of(stride, "stride", 1, 16);
  const auto [dh, dw] = pair_of(dilation, "dilation", 1, 8);
  // Rows and columns before the image; "same" puts an odd one behind it.
  int64_t top = 0, left = 0, more_h = 0, more_w = 0;
  if (auto word = padding.as<String>()) {
    if (*word == "same") {
      if (sh != 1 || sw != 1) TVM_FFI_THROW(ValueError) << "padding \"same\" needs a stride of 1";
      more_h = dh * (kh - 1), more_w = dw * (kw - 1), top = more_h / 2, left = more_w / 2;
    } else if (*word != "valid") {
      TVM_FFI_THROW(ValueError) << "unknown padding " << *word;
    }
  } else {
    std::tie(top, left) = pair_of(padding, "padding", 0, 16);
    more_h = 2 * top, more_w = 2 * left;
  }
  const int64_t room_h = h + more_h - dh * (kh - 1) - 1, room_w = wd + more_w - dw * (kw - 1) - 1;
  if (room_h < 0 || room_w < 0) TVM_FFI_THROW(ValueError) << "the kernel is larger than the input";
  const int64_t oh = room_h / sh + 1, ow = room_w / sw + 1;
  Tensor y = set::empty({n, co, oh, ow}, x.dtype());
  const float *xp = set::ptr<float>(x), *wp = set::ptr<float>(w);
  float* yp = set::ptr<float>(y);
  for (int64_t b = 0; b < n; ++b)
    for (int64_t o = 0; o < co; ++o)
      for (int64_t i = 0; i < oh; ++i)
        for (int64_t j = 0; j < ow; ++j) {
          double sum = bias.has_value() ? set::ptr<float>(*bias)[o] : 0;
          for (int64_t c = 0; c < ci; ++c) {
            const int64_t plane = (b * ci * groups + o / (co / groups) * ci + c) * h;
            for (int64_t u = 0; u < kh; ++u) {
              const int64_t r = i * sh + u * dh - top;
              if (r < 0 || r >= h) continue;
              for (int64_t v = 0; v < kw; ++v) {
                const int64_t q = j * sw + v * dw - left;
                if (q < 0 || q >= wd) continue;
                sum += double(xp[(plane + r) * wd + q]) * wp[((o * ci + c) * kh + u) * kw + v];
              }
            }
          }
          *yp++ = static_cast<float>(sum);
        }
  return y;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv2d, conv2d);
