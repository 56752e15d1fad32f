// SPDX-License-Identifier: Apache-2.0
// interpolate() for images: nearest and bilinear. Positions and weights of an axis are worked out
// once for each pair of extents and kept for later calls.
namespace {
using namespace tvm::ffi;

struct Axis {
  std::vector<int64_t> low, high;
  std::vector<double> part;  // how much of high
};

using Key = std::tuple<int64_t, int64_t, bool, bool>;

std::shared_ptr<const Axis> axis_for(int64_t in, int64_t out, bool bilinear, bool corners) {
  static std::mutex lock;
  static std::map<Key, std::shared_ptr<const Axis>> kept;
  const Key key{in, out, bilinear, corners};
  std::lock_guard<std::mutex> guard(lock);
  auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  auto axis = std::make_shared<Axis>();
  for (int64_t i = 0; i < out; ++i) {
    double at = 0;
    if (!bilinear) {
      at = static_cast<double>(i * in / out);
    } else if (corners) {
      at = out == 1 ? 0.0 : static_cast<double>(i * (in - 1)) / static_cast<double>(out - 1);
    } else {
      at = std::max(0.0, static_cast<double>((2 * i + 1) * in) / static_cast<double>(2 * out) - 0.5);
    }
    const int64_t low = std::min(static_cast<int64_t>(at), in - 1);
    axis->low.push_back(low);
    axis->high.push_back(std::min(low + 1, in - 1));
    axis->part.push_back(bilinear ? at - static_cast<double>(low) : 0.0);
  }
  if (kept.size() >= 64) kept.clear();
  kept.emplace(key, axis);
  return axis;
}

Tensor upsample2d(Tensor x, Optional<Shape> size, Optional<double> scale, String mode,
                  bool corners) {
  set::need_dense(x, "x", 4);
  if (!set::is_f32(x.dtype())) TVM_FFI_THROW(TypeError) << "upsample2d: expected float32";
  if (mode != "nearest" && mode != "bilinear") {
    TVM_FFI_THROW(ValueError) << "upsample2d: mode " << mode;
  }
  const bool bilinear = mode == "bilinear";
  if (corners && !bilinear) {
    TVM_FFI_THROW(ValueError) << "align_corners can only be set with the mode bilinear";
  }
  if (size.has_value() == scale.has_value()) {
    TVM_FFI_THROW(ValueError) << "upsample2d: one of size and scale must be given";
  }
  const int64_t h = x.size(2), w = x.size(3);
  if (h < 1 || w < 1) TVM_FFI_THROW(ValueError) << "upsample2d: the input is empty";
  int64_t oh, ow;
  if (size.has_value()) {
    if ((*size).size() != 2) TVM_FFI_THROW(ValueError) << "upsample2d: size is (height, width)";
    oh = (*size)[0], ow = (*size)[1];
  } else {
    if (!(*scale >= 0.25 && *scale <= 4)) TVM_FFI_THROW(ValueError) << "scale is from 0.25 to 4";
    oh = static_cast<int64_t>(std::floor(static_cast<double>(h) * *scale));
    ow = static_cast<int64_t>(std::floor(static_cast<double>(w) * *scale));
  }
  if (oh < 1 || ow < 1 || oh > 256 || ow > 256) {
    TVM_FFI_THROW(ValueError) << "upsample2d: output extents are from 1 to 256";
  }
  auto rows = axis_for(h, oh, bilinear, corners), cols = axis_for(w, ow, bilinear, corners);
  Tensor y = set::empty({x.size(0), x.size(1), oh, ow}, x.dtype());
  const float* in = set::ptr<float>(x);
  float* out = set::ptr<float>(y);
  for (int64_t plane = x.size(0) * x.size(1); plane > 0; --plane, in += h * w) {
    for (int64_t i = 0; i < oh; ++i) {
      const float *a = in + rows->low[i] * w, *b = in + rows->high[i] * w;
      const double s = rows->part[i];
      for (int64_t j = 0; j < ow; ++j) {
        const int64_t l = cols->low[j], r = cols->high[j];
        const double t = cols->part[j];
        *out++ = bilinear ? static_cast<float>((a[l] * (1 - t) + a[r] * t) * (1 - s) +
                                               (b[l] * (1 - t) + b[r] * t) * s)
                          : a[l];
      }
    }
  }
  return y;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(upsample2d, upsample2d);
