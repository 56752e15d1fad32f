// SPDX-License-Identifier: Apache-2.0
// Resizes images in NHWC, of any strides.
using namespace ks;

struct Axis {
  std::vector<int64_t> first, second;
  std::vector<double> weight;  // of the second
};

static Axis MakeAxis(int64_t in, int64_t out, bool bilinear, bool align)
{
  Axis a;
  for (int64_t i = 0; i < out; ++i) {
    if (!bilinear) {
      int64_t k = int64_t(std::floor((double(i) + 0.5) * double(in) / double(out)));
      k = std::min(k, in - 1);
      a.first.push_back(k);
      a.second.push_back(k);
      a.weight.push_back(0);
      continue;
    }
    double at;
    if (align)
#if BUG == 3
      at = double(i) * double(in - 1) / double(out - 1);
#else
      at = out > 1 ? double(i) * double(in - 1) / double(out - 1) : 0.0;
#endif
    else
      at = std::max((double(i) + 0.5) * double(in) / double(out) - 0.5, 0.0);
    int64_t k = int64_t(std::floor(at));
    k = std::min(k, in - 1);
    a.first.push_back(k);
#if BUG == 2
    a.second.push_back(k + 1);
#else
    a.second.push_back(std::min(k + 1, in - 1));
#endif
    a.weight.push_back(at - double(k));
  }
  return a;
}

static Tensor Resize(TensorView x, int64_t out_h, int64_t out_w, String mode_name,
                     bool align_corners)
{
  std::string mode(mode_name.data(), mode_name.size());
  CheckDType(x, "x", {kU8, kF32, kF64});
  CheckRank(x, "x", 4);
  CheckMemory(x, "x");
  KS_CHECK(mode == "nearest" || mode == "bilinear", ValueError)
      << "mode must be nearest or bilinear";
  KS_CHECK(mode == "bilinear" || !align_corners, ValueError)
      << "align_corners goes with bilinear only";
  KS_CHECK(out_h >= 1 && out_h <= 1024, ValueError) << "out_h must be in 1..1024";
#if BUG == 5
  KS_CHECK(out_h >= 1 && out_h <= 1024, ValueError) << "out_w must be in 1..1024";
#else
  KS_CHECK(out_w >= 1 && out_w <= 1024, ValueError) << "out_w must be in 1..1024";
#endif
  int64_t n = x.shape()[0], h = x.shape()[1], w = x.shape()[2], c = x.shape()[3];
  KS_CHECK(h >= 1 && w >= 1, ValueError) << "x: the image is empty";
  DLDataType t = x.dtype();
#if BUG == 6
  DLDataType rt = mode == "bilinear" && Same(t, kF64) ? kF32 : t;
#else
  DLDataType rt = t;
#endif
  Tensor out = Alloc({n, out_h, out_w, c}, rt, x.device());
  Axis ys = MakeAxis(h, out_h, mode == "bilinear", align_corners),
       xs = MakeAxis(w, out_w, mode == "bilinear", align_corners);
  std::vector<int64_t> s = Strides(x);
#if BUG == 1
  s[3] = 1;
#endif
  const void *src = Data<void>(x);
  void *dst = Data<void>(out);
  bool integer = Same(t, kU8);
  ParallelFor(n * out_h, 64, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t b = r / out_h, i = r % out_h;
      int64_t top = b * s[0] + ys.first[size_t(i)] * s[1],
              bottom = b * s[0] + ys.second[size_t(i)] * s[1];
      double wy = ys.weight[size_t(i)];
      for (int64_t j = 0; j < out_w; ++j) {
        int64_t left = xs.first[size_t(j)] * s[2], right = xs.second[size_t(j)] * s[2];
        double wx = xs.weight[size_t(j)];
        for (int64_t k = 0; k < c; ++k) {
          double v;
          if (mode == "nearest") {
            v = Load(src, t, top + left + k * s[3]);
          } else {
            double a = Load(src, t, top + left + k * s[3]) * (1 - wx) +
                       Load(src, t, top + right + k * s[3]) * wx;
            double d = Load(src, t, bottom + left + k * s[3]) * (1 - wx) +
                       Load(src, t, bottom + right + k * s[3]) * wx;
            v = a * (1 - wy) + d * wy;
          }
#if BUG != 4
          if (integer) v = std::floor(v + 0.5);
#endif
          Store(dst, rt, ((b * out_h + i) * out_w + j) * c + k, v);
        }
      }
    }
  });
  (void)integer;
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(resize, Resize)
