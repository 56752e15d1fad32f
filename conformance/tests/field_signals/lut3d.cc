// SPDX-License-Identifier: Apache-2.0
// 3D colour look-up tables ("cube" files) applied to images of 3 or 4 channels; alpha is copied.

namespace {

struct Lut {
  const float* table;
  int64_t size;
  double lo, hi;
  bool nearest;
};

struct Place {
  int64_t low, high;
  double part;
};

inline Place Find(const Lut& l, double v) {
  double t = (v - l.lo) / (l.hi - l.lo) * static_cast<double>(l.size - 1);
  double last = static_cast<double>(l.size - 1);
#if BUG == 3
  t = std::min(std::max(t, 0.0), last);
#else
  if (!(t > 0)) t = 0;
  if (t > last) t = last;
#endif
  Place p;
  if (l.nearest) {
    p.low = p.high = static_cast<int64_t>(std::nearbyint(t));
    p.part = 0;
    return p;
  }
  p.low = static_cast<int64_t>(t);
#if BUG == 2
  p.high = p.low + 1;
#else
  p.high = std::min(p.low + 1, l.size - 1);
#endif
  p.part = t - static_cast<double>(p.low);
  return p;
}

inline double Mix(double a, double b, double part) { return a + (b - a) * part; }

inline double Look(const Lut& l, const Place& r, const Place& g, const Place& b, int c) {
  auto at = [&](int64_t i, int64_t j, int64_t k) { return static_cast<double>(l.table[((i * l.size + j) * l.size + k) * 3 + c]); };
  if (l.nearest) return at(r.low, g.low, b.low);
  double v00 = Mix(at(r.low, g.low, b.low), at(r.low, g.low, b.high), b.part);
  double v01 = Mix(at(r.low, g.high, b.low), at(r.low, g.high, b.high), b.part);
  double v10 = Mix(at(r.high, g.low, b.low), at(r.high, g.low, b.high), b.part);
  double v11 = Mix(at(r.high, g.high, b.low), at(r.high, g.high, b.high), b.part);
  return Mix(Mix(v00, v01, g.part), Mix(v10, v11, g.part), r.part);
}

inline double Read(float v) { return v; }
inline double Read(uint8_t v) { return v / 255.0; }
inline void Write(double v, float* o) { *o = static_cast<float>(v); }
inline void Write(double v, uint8_t* o) {
  if (!(v > 0)) v = 0;
  if (v > 1) v = 1;
  *o = static_cast<uint8_t>(std::nearbyint(v * 255));
}

template <class T>
void Run(const TensorView& image, const TensorView& out, const Lut& l, int64_t workers) {
  int64_t h = image.size(0), w = image.size(1), c = image.size(2);
  bool ic = image.IsContiguous(), oc = out.IsContiguous();
  int64_t is0 = ic ? w * c : image.stride(0), is1 = ic ? c : image.stride(1);
#if BUG == 4
  int64_t os0 = oc ? w * c : out.stride(0), os1 = c;
#else
  int64_t os0 = oc ? w * c : out.stride(0), os1 = oc ? c : out.stride(1);
#endif
  const T* src = Ptr<T>(image);
  T* dst = Ptr<T>(out);
  auto rows = [&](int64_t lo, int64_t hi) {
    for (int64_t y = lo; y < hi; ++y) {
      for (int64_t x = 0; x < w; ++x) {
        const T* p = src + y * is0 + x * is1;
        T* o = dst + y * os0 + x * os1;
#if BUG == 1
        for (int i = 0; i < 3; ++i)
          Write(Look(l, Find(l, Read(p[0])), Find(l, Read(p[1])), Find(l, Read(p[2])), i), o + i);
        if (c == 4) o[3] = p[3];
#else
        Place r = Find(l, Read(p[0])), g = Find(l, Read(p[1])), b = Find(l, Read(p[2]));
        if (c == 4) o[3] = p[3];
        for (int i = 0; i < 3; ++i) Write(Look(l, r, g, b, i), o + i);
#endif
      }
    }
  };
#if BUG == 6
  int64_t parts = std::max<int64_t>(1, std::min(workers, h)), chunk = h / parts;
  ParallelFor(parts, parts, [&](int64_t lo, int64_t hi, int64_t) { rows(lo * chunk, hi * chunk); });
#else
  ParallelFor(h, workers, [&](int64_t lo, int64_t hi, int64_t) { rows(lo, hi); });
#endif
}

void Lut3dApply(TensorView image, TensorView lut, Tuple<double, double> domain, String mode, int64_t workers,
                TensorView out) {
  CheckTensor(image, "image", {kU8, kF32}, 3);
  CheckRows(image, "image");
  int64_t c = image.size(2);
  REQUIRE(c == 3 || c == 4, ValueError) << "image: has to have 3 or 4 channels, got " << c;
  CheckTensor(lut, "lut", {kF32}, 4);
  CheckContiguous(lut, "lut");
  int64_t s = lut.size(0);
  REQUIRE(s >= 2 && s <= 256, ValueError) << "lut: edges have to be 2 to 256, got " << s;
  CheckDim(lut, "lut", 1, s);
  CheckDim(lut, "lut", 2, s);
  CheckDim(lut, "lut", 3, 3);
  CheckTensor(out, "out", {image.dtype()}, 3);
  CheckRows(out, "out");
  for (int i = 0; i < 3; ++i) CheckDim(out, "out", i, image.size(i));
  if (!out.IsContiguous())
    for (int i = 0; i < 2; ++i)
      REQUIRE(out.size(i) <= 1 || std::abs(out.stride(i)) >= c, ValueError) << "out: pixels overlap";
  double lo = domain.get<0>(), hi = domain.get<1>();
#if BUG == 5
  REQUIRE(std::isfinite(lo) && std::isfinite(hi), ValueError) << "domain: has to be finite";
#else
  REQUIRE(std::isfinite(lo) && std::isfinite(hi) && lo < hi, ValueError)
      << "domain: has to be two finite numbers that rise, got " << lo << " and " << hi;
#endif
  bool nearest = mode == "nearest";
  REQUIRE(nearest || mode == "trilinear", ValueError) << "mode: has to be \"nearest\" or \"trilinear\", got \"" << mode << "\"";
  REQUIRE(workers >= 1 && workers <= 16, ValueError) << "workers: has to be 1 to 16, got " << workers;
  if (image.size(0) == 0 || image.size(1) == 0) return;
  Lut l{Ptr<float>(lut), s, lo, hi, nearest};
  if (Is(image.dtype(), kU8)) Run<uint8_t>(image, out, l, workers);
  else Run<float>(image, out, l, workers);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(lut3d_apply, Lut3dApply);
