// SPDX-License-Identifier: Apache-2.0
// preprocess_image: from pixels to the input of a network: crop, resize, normalize, to planes.
//
// image: (b, h, v, c) of uint8 or float32, c from 1 to 4, any strides (rows of cameras are padded).
// size: (oh, ov), 1 to 16384 each. crop: (top, left, height, width) of the part that is taken, or None.
// mode: "bilinear" or "nearest"; centres of pixels are at half numbers, beyond the edge is the edge.
// swap_rb: the channels in the opposite order, for images of 3 channels only.
// scale, mean, std: (pixel * scale - mean[channel]) / std[channel], channels as in the output; std > 0.
// out: (b, c, oh, ov) of float32, contiguous, or None. Returns out, or a new tensor.
namespace {

using namespace set;

// An output pixel is first * (1 - part) + second * part.
struct Tap {
  int64_t first, second;
  double part;
};

std::vector<Tap> MakeTaps(int64_t in, int64_t out, bool bilinear) {
  std::vector<Tap> taps(static_cast<size_t>(out));
  for (int64_t i = 0; i < out; ++i) {
    if (!bilinear) {
      const int64_t at = (2 * i + 1) * in / (2 * out);
      taps[i] = Tap{at, at, 0};
      continue;
    }
    const double ratio = static_cast<double>(in) / static_cast<double>(out);
    const double half = BUG == 2 ? 0 : 0.5;
    const double at = std::max(0.0, (static_cast<double>(i) + half) * ratio - half);
    const int64_t first = std::min(static_cast<int64_t>(at), in - 1);
#if BUG == 4
    taps[i] = Tap{first, first + 1, at - static_cast<double>(first)};
#else
    taps[i] = Tap{first, std::min(first + 1, in - 1), at - static_cast<double>(first)};
#endif
  }
  return taps;
}

std::vector<Tap> Taps(int64_t in, int64_t out, bool bilinear) {
#if BUG == 8
  static std::mutex lock;
  static auto& cache = *new std::unordered_map<int64_t, std::vector<Tap>>();
  std::lock_guard<std::mutex> guard(lock);
  std::vector<Tap>& taps = cache[out * 2 + bilinear];
  if (taps.empty()) taps = MakeTaps(in, out, bilinear);
  return taps;
#else
  return MakeTaps(in, out, bilinear);
#endif
}

double Mix(double a, double b, double part) { return part == 0 ? a : a * (1 - part) + b * part; }

struct Job {
  int64_t top, left, height, width, oh, ov;
  bool bilinear, swap;
  double scale;
  std::vector<double> mean, std;
};

template <typename P>
void Run(const DLTensor* image, const Job& job, float* out) {
  const int64_t batch = image->shape[0], channels = image->shape[3];
  const int64_t sv = Stride(image, 2), sc = Stride(image, 3);
#if BUG == 1
  const int64_t sh = image->shape[2] * sv;
  const int64_t sb = image->shape[1] * sh;
#else
  const int64_t sh = Stride(image, 1), sb = Stride(image, 0);
#endif
  const std::vector<Tap> rows = Taps(job.height, job.oh, job.bilinear);
  const std::vector<Tap> cols = Taps(job.width, job.ov, job.bilinear);
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t c = 0; c < channels; ++c) {
      const int64_t from = job.swap ? channels - 1 - c : c;
      const size_t by = static_cast<size_t>(BUG == 3 ? from : c);
      const double mean = job.mean[by], deviation = job.std[by];
      const P* pixels = Data<P>(image) + b * sb + job.top * sh + job.left * sv + from * sc;
      for (int64_t y = 0; y < job.oh; ++y) {
        const P* upper = pixels + rows[y].first * sh;
        const P* lower = pixels + rows[y].second * sh;
        for (int64_t x = 0; x < job.ov; ++x) {
          const int64_t first = cols[x].first * sv, second = cols[x].second * sv;
          const double u = Mix(upper[first], upper[second], cols[x].part);
          const double l = Mix(lower[first], lower[second], cols[x].part);
          const double v = Mix(u, l, rows[y].part);
          *out++ = static_cast<float>((v * job.scale - mean) / deviation);
        }
      }
    }
  }
}

ffi::Tensor PreprocessImage(DLTensor* image, ffi::Shape size,
                            ffi::Optional<ffi::Tuple<int64_t, int64_t, int64_t, int64_t>> crop,
                            ffi::String mode, bool swap_rb, double scale, ffi::Array<double> mean,
                            ffi::Array<double> std_, ffi::Optional<ffi::Tensor> out) {
  CheckTensor(image, "image", {kU8, kF32});
  CheckRank(image, "image", 4);
  const int64_t b = image->shape[0], h = image->shape[1], v = image->shape[2];
  const int64_t c = image->shape[3];
  SET_CHECK(c >= 1 && c <= 4, ValueError) << "image must have 1 to 4 channels, not " << c;
  SET_CHECK(h >= 1 && v >= 1 && h <= 1 << 24 && v <= 1 << 24, ValueError)
      << "image must have 1 to 16777216 rows and columns, not " << h << " and " << v;
  SET_CHECK(size.size() == 2, ValueError) << "size must be two numbers, not " << size.size();
  Job job;
  job.oh = size[0];
  job.ov = size[1];
  SET_CHECK(job.oh >= 1 && job.oh <= 16384 && job.ov >= 1 && job.ov <= 16384, ValueError)
      << "size must be 1 to 16384 each, not " << job.oh << " and " << job.ov;
  job.top = job.left = 0;
  job.height = h;
  job.width = v;
  if (crop.has_value()) {
    const auto& part = crop.value();
    job.top = part.get<0>();
    job.left = part.get<1>();
    job.height = part.get<2>();
    job.width = part.get<3>();
    SET_CHECK(job.top >= 0 && job.top < h && job.height >= 1 && job.height <= h - job.top,
              ValueError)
        << "crop must lie in the " << h << " rows, not be " << job.height << " from " << job.top;
#if BUG == 6
    SET_CHECK(job.left >= 0 && job.left < v && job.width >= 1 && job.width <= v, ValueError)
#else
    SET_CHECK(job.left >= 0 && job.left < v && job.width >= 1 && job.width <= v - job.left,
              ValueError)
#endif
        << "crop must lie in the " << v << " columns, not be " << job.width << " from "
        << job.left;
  }
  job.bilinear = mode == "bilinear";
  SET_CHECK(job.bilinear || mode == "nearest", ValueError)
      << "mode must be \"bilinear\" or \"nearest\", not \""
      << std::string(mode.data(), mode.size()) << "\"";
  job.swap = swap_rb;
  SET_CHECK(!swap_rb || c == 3, ValueError)
      << "swap_rb is for images of 3 channels, not of " << c;
  SET_CHECK(std::isfinite(scale), ValueError) << "scale must be finite, not " << scale;
  job.scale = scale;
  for (double m : mean) {
    SET_CHECK(std::isfinite(m), ValueError) << "mean must be finite, not " << m;
    job.mean.push_back(m);
  }
  for (double s : std_) {
#if BUG != 5
    SET_CHECK(s > 0 && std::isfinite(s), ValueError)
        << "std must be more than 0 and finite, not " << s;
#endif
    job.std.push_back(s);
  }
#if BUG != 7
  SET_CHECK(static_cast<int64_t>(mean.size()) == c, ValueError)
      << "mean must have " << c << " numbers, one for each channel, not " << mean.size();
#endif
  SET_CHECK(static_cast<int64_t>(std_.size()) == c, ValueError)
      << "std must have " << c << " numbers, one for each channel, not " << std_.size();
  if (out.has_value()) {
    const DLTensor* t = Raw(out);
    CheckTensor(t, "out", {kF32});
    CheckShape(t, "out", {b, c, job.oh, job.ov});
    CheckCompact(t, "out");
  }
  const int64_t shape[4] = {b, c, job.oh, job.ov};
  ffi::Tensor result =
      out.has_value() ? out.value() : NewTensor(ffi::ShapeView(shape, 4), kF32);
  float* to = Data<float>(result.GetDLTensorPtr());
  if (Same(image->dtype, kU8)) {
    Run<uint8_t>(image, job, to);
  } else {
    Run<float>(image, job, to);
  }
#if BUG == 9
  if (out.has_value()) {
    result = NewTensor(ffi::ShapeView(shape, 4), kF32);
    std::copy(to, to + Count(result.GetDLTensorPtr()), Data<float>(result.GetDLTensorPtr()));
  }
#endif
  return result;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(preprocess_image, PreprocessImage);

}  // namespace
