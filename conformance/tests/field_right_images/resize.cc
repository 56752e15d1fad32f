// SPDX-License-Identifier: Apache-2.0
// Resizes an image to a given size, or by a factor of the table.
namespace {
using namespace kit;

constexpr int64_t kMost = 256;

struct Tap {
  int64_t lo, hi;
  double weight;  // of hi
};

std::vector<Tap> taps(int64_t from, int64_t to, bool align) {
  std::vector<Tap> out(to);
  for (int64_t i = 0; i < to; ++i) {
    double at = align ? (to > 1 ? double(i) * double(from - 1) / double(to - 1) : 0.0)
                      : (double(i) + 0.5) * double(from) / double(to) - 0.5;
    at = std::min(std::max(at, 0.0), double(from - 1));
    int64_t lo = int64_t(std::floor(at));
    out[i] = {lo, std::min(lo + 1, from - 1), at - double(lo)};
  }
  return out;
}

template <typename T>
void nearest(const T* x, int64_t h, int64_t w, int64_t c, T* y, int64_t oh, int64_t ow) {
  for (int64_t i = 0; i < oh; ++i) {
    const T* row = x + (2 * i + 1) * h / (2 * oh) * w * c;
    for (int64_t j = 0; j < ow; ++j, y += c) {
      const T* from = row + (2 * j + 1) * w / (2 * ow) * c;
      std::copy(from, from + c, y);
    }
  }
}

void bilinear(const float* x, int64_t w, int64_t c, float* y, const std::vector<Tap>& rows,
              const std::vector<Tap>& columns) {
  for (const Tap& r : rows) {
    const float *top = x + r.lo * w * c, *low = x + r.hi * w * c;
    for (const Tap& k : columns) {
      for (int64_t z = 0; z < c; ++z) {
        double a = top[k.lo * c + z] * (1 - k.weight) + top[k.hi * c + z] * k.weight;
        double b = low[k.lo * c + z] * (1 - k.weight) + low[k.hi * c + z] * k.weight;
        *y++ = float(a * (1 - r.weight) + b * r.weight);
      }
    }
  }
}

ffi::Tensor resize(TensorView x, ffi::Optional<ffi::Shape> size, ffi::Optional<double> scale,
                   ffi::String mode, ffi::Optional<bool> align_corners) {
  bool linear = mode == "bilinear";
  if (!linear && mode != "nearest") TVM_FFI_THROW(ValueError) << "unknown mode " << mode;
  bool bytes = holds<uint8_t>(x);
  if (linear && bytes) TVM_FFI_THROW(NotImplementedError) << "bilinear needs float32";
  const void* data =
      bytes ? (const void*)elements<uint8_t>(x, "x", 3) : (const void*)elements<float>(x, "x", 3);
  if (size.has_value() == scale.has_value()) {
    TVM_FFI_THROW(ValueError) << "exactly one of size and scale must be given";
  }
  if (align_corners.has_value() && !linear) {
    TVM_FFI_THROW(ValueError) << "align_corners is an option of bilinear only";
  }
  int64_t h = x.size(0), w = x.size(1), c = x.size(2), oh, ow;
  if (size.has_value()) {
    ffi::Shape want = size.value();
    if (want.size() != 2) TVM_FFI_THROW(ValueError) << "size must be (height, width)";
    oh = want[0], ow = want[1];
    if (oh < 1 || ow < 1 || oh > kMost || ow > kMost) {
      TVM_FFI_THROW(ValueError) << "size must be between 1 and " << kMost;
    }
  } else {
    double s = scale.value();
    if (s != 0.5 && s != 1 && s != 2 && s != 4) {
      TVM_FFI_THROW(ValueError) << "scale must be 0.5, 1, 2 or 4";
    }
    oh = int64_t(double(h) * s), ow = int64_t(double(w) * s);
  }
  if (h < 1 || w < 1) TVM_FFI_THROW(ValueError) << "the image has no pixels";
  if (oh < 1 || ow < 1) TVM_FFI_THROW(ValueError) << "nothing is left at this scale";
  if (bytes) {
    ffi::Tensor y = make<uint8_t>({oh, ow, c});
    if (c) nearest(static_cast<const uint8_t*>(data), h, w, c, fresh<uint8_t>(y), oh, ow);
    return y;
  }
  auto* from = static_cast<const float*>(data);
  ffi::Tensor y = make<float>({oh, ow, c});
  if (c == 0) return y;
  if (!linear) {
    nearest(from, h, w, c, fresh<float>(y), oh, ow);
  } else {
    bool align = align_corners.has_value() && align_corners.value();
    bilinear(from, w, c, fresh<float>(y), taps(h, oh, align), taps(w, ow, align));
  }
  return y;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(resize, resize);
