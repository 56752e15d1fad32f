// SPDX-License-Identifier: Apache-2.0
// Image preprocessing: resizes an image of bytes, scales and normalizes it, and puts channels first.
namespace host {

// Where an output row or column takes its values from.
struct Tap {
  int64_t first, second;
  double weight;  // of the second
};

inline std::vector<Tap> Taps(int64_t from, int64_t to, bool linear) {
  std::vector<Tap> taps;
  taps.reserve(static_cast<size_t>(to));
#if BUG == 6
  const int64_t step = std::max<int64_t>(from / to, 1);
#endif
  for (int64_t i = 0; i < to; ++i) {
    if (!linear) {
#if BUG == 6
      const int64_t at = std::min(i * step, from - 1);
#else
      const int64_t at = i * from / to;
#endif
      taps.push_back({at, at, 0});
      continue;
    }
    double at = (static_cast<double>(i) + 0.5) * static_cast<double>(from) /
                    static_cast<double>(to) - 0.5;
#if BUG == 5
    at = std::max(at, 0.0);
    const auto first = static_cast<int64_t>(std::floor(at));
    taps.push_back({first, first + 1, at - static_cast<double>(first)});
#else
    at = std::min(std::max(at, 0.0), static_cast<double>(from - 1));
    const auto first = static_cast<int64_t>(std::floor(at));
    taps.push_back({first, std::min(first + 1, from - 1), at - static_cast<double>(first)});
#endif
  }
  return taps;
}

template <typename T>
T Store(double x) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(x);
  return static_cast<T>(ToHalf(x));
}

struct Channel {
  int64_t from;
  double scale, mean, std;
};

template <typename T>
void Resize(const TensorView& image, const std::vector<Channel>& channels, bool linear,
            const TensorView& out) {
  const auto* pixels = Data<const uint8_t>(image);
  const int64_t height = out.size(1), width = out.size(2);
  const std::vector<Tap> rows = Taps(image.size(0), height, linear);
  const std::vector<Tap> columns = Taps(image.size(1), width, linear);
  const int64_t down = Stride(image, 0);
  const int64_t right = BUG == 1 ? image.size(2) : Stride(image, 1);
  const int64_t deep = Stride(image, 2);
  T* to = Data<T>(out);
  for (const Channel& c : channels) {
    const uint8_t* plane = pixels + c.from * deep;
    for (const Tap& y : rows) {
      const uint8_t* top = plane + y.first * down;
      const uint8_t* bottom = plane + y.second * down;
      for (const Tap& x : columns) {
        double v = top[x.first * right];
        if (linear) {
          const double upper = v + (top[x.second * right] - v) * x.weight;
          const double left = bottom[x.first * right];
          const double lower = left + (bottom[x.second * right] - left) * x.weight;
          v = upper + (lower - upper) * y.weight;
        }
#if BUG == 3
        *to++ = Store<T>(std::is_same_v<T, float> ? (v * c.scale - c.mean) / c.std
                                                  : v * c.scale - c.mean);
#else
        *to++ = Store<T>((v * c.scale - c.mean) / c.std);
#endif
      }
    }
  }
}

// image [h, w, c] of any strides, out [c, oh, ow]; mean and std are by channel of out.
void ResizeNormalize(TensorView image, Array<double> mean, Array<double> std, String mode,
                     bool reverse_channels, double scale, TensorView out) {
  CheckType(image, "image", {kU8});
  CheckRank(image, "image", 3);
  CheckDevice(image, "image");
  CheckMemory(image, "image");
  CheckDense(out, "out", 3, {kF32, kF16});
  const int64_t count = image.size(2);
  if (count < 1 || count > 4) {
    TVM_FFI_THROW(ValueError) << "image must have from 1 to 4 channels, got " << count;
  }
  CheckExtent(out, "out", 0, count);
#if BUG != 7
  if ((image.size(0) == 0 || image.size(1) == 0) && out.numel() != 0) {
    TVM_FFI_THROW(ValueError) << "image must not be empty";
  }
#endif
#if BUG != 8
  if (static_cast<int64_t>(mean.size()) != count) {
    TVM_FFI_THROW(ValueError) << "mean must have " << count << " elements, got " << mean.size();
  }
#else
  if (static_cast<int64_t>(mean.size()) < count) {
    TVM_FFI_THROW(ValueError) << "mean must have " << count << " elements, got " << mean.size();
  }
#endif
  if (static_cast<int64_t>(std.size()) != count) {
    TVM_FFI_THROW(ValueError) << "std must have " << count << " elements, got " << std.size();
  }
  if (mode != "nearest" && mode != "bilinear") {
    TVM_FFI_THROW(ValueError) << "mode must be nearest or bilinear";
  }
  if (!std::isfinite(scale)) TVM_FFI_THROW(ValueError) << "scale must be finite";
  std::vector<Channel> channels;
  for (int64_t i = 0; i < count; ++i) {
    Channel c;
    c.from = reverse_channels ? count - 1 - i : i;
    c.scale = scale;
    const int64_t at = BUG == 4 ? c.from : i;
    c.mean = mean[at];
    c.std = std[at];
    if (!std::isfinite(c.mean)) TVM_FFI_THROW(ValueError) << "mean must be finite";
#if BUG == 2
    if (!std::isfinite(c.std) || c.std < 0) {
#else
    if (!std::isfinite(c.std) || c.std <= 0) {
#endif
      TVM_FFI_THROW(ValueError) << "std must be positive, got " << c.std;
    }
    channels.push_back(c);
  }
  if (out.numel() == 0) return;
  if (Same(out.dtype(), kF32)) {
    Resize<float>(image, channels, mode == "bilinear", out);
  } else {
    Resize<uint16_t>(image, channels, mode == "bilinear", out);
  }
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(resize_normalize, host::ResizeNormalize);
