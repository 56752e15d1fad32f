// SPDX-License-Identifier: Apache-2.0
// Samples images at given places, as for warps and deformable layers: (-1, -1) is the upper left end, (1, 1) the lower right one.

// into [least, most] by reflection at both ends
static double Reflect(double v, double least, double most) {
  if (least == most) return least;
  double span = most - least;
  v = std::fabs(v - least);
  double rest = std::fmod(v, span);
  return std::fmod(std::floor(v / span), 2.0) == 0.0 ? rest + least : span - rest + least;
}

Tensor grid_sample(TensorView x, TensorView grid, String mode, String padding, bool align_corners) {
  CheckType("x", x, {kF32, kF16});
  CheckRank("x", x, 4);
  CheckContiguous("x", x);
  int64_t n = x.size(0), c = x.size(1), h = x.size(2), w = x.size(3);
  REQUIRE(h >= 1 && w >= 1 && h <= 1 << 24 && w <= 1 << 24, ValueError, "x: an image of 1 to 2^24 rows and columns expected");
  CheckType("grid", grid, {kF32});
  CheckRank("grid", grid, 4);
  int64_t oh = grid.size(1), ow = grid.size(2);
#if BUG == 5
  REQUIRE(grid.size(3) == 2, ValueError, "grid: pairs expected");
#else
  CheckShape("grid", grid, {n, oh, ow, 2});
#endif
  CheckContiguous("grid", grid);
  REQUIRE(mode == "bilinear" || mode == "nearest", ValueError, "unknown mode " << mode);
  bool nearest = mode == "nearest";
  REQUIRE(padding == "zeros" || padding == "border" || padding == "reflection", ValueError, "unknown padding " << padding);
  int pad = padding == "zeros" ? 0 : padding == "border" ? 1 : 2;
  const float* g = Ptr<float>(grid);
  int64_t places = Numel(grid) / 2;
#if BUG != 3
  for (int64_t i = 0; i < 2 * places; ++i) REQUIRE(std::isfinite(g[i]), ValueError, "grid: must be finite");
#endif
  DLDataType type = x.dtype();
  Tensor out = Alloc({n, c, oh, ow}, type);
  if (Numel(out) == 0) return out;
  auto place = [&](float at, int64_t size) {
    double v = align_corners ? (at + 1.0) / 2 * (size - 1) : ((at + 1.0) * size - 1) / 2;
    if (pad == 1) {
#if BUG == 1
      v = std::min(std::max(v, 0.0), static_cast<double>(size));
#else
      v = std::min(std::max(v, 0.0), static_cast<double>(size - 1));
#endif
    } else if (pad == 2) {
#if BUG == 2
      v = Reflect(v, 0.0, size - 1.0);
#else
      v = align_corners ? Reflect(v, 0.0, size - 1.0) : Reflect(v, -0.5, size - 0.5);
#endif
      v = std::min(std::max(v, 0.0), size - 1.0);
    }
    return std::min(std::max(v, -4.0), size + 4.0);  // far outside is outside
  };
  struct At {
    double y, x;
  };
#if BUG == 6
  // the same grid is used for every layer of a pyramid
  static thread_local std::vector<At> at;
  static thread_local std::vector<int64_t> cached;
  std::vector<int64_t> key{reinterpret_cast<int64_t>(g), n, oh, ow, h, w, pad, align_corners};
  if (cached != key) {
    at.resize(places);
    for (int64_t i = 0; i < places; ++i) at[i] = {place(g[2 * i + 1], h), place(g[2 * i], w)};
    cached = key;
  }
  const At* where = at.data();
#else
  std::vector<At> at(places);
  for (int64_t i = 0; i < places; ++i) at[i] = {place(g[2 * i + 1], h), place(g[2 * i], w)};
  const At* where = at.data();
#endif
  const char* p = Ptr<char>(x);
  char* y = Ptr<char>(out);
  int64_t size = oh * ow;
  ParallelFor(n * c, std::max<int64_t>(1, 8192 / (size + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const At* a = where + t / c * size;
      for (int64_t i = 0; i < size; ++i) {
        if (nearest) {
          int64_t r = static_cast<int64_t>(std::nearbyint(a[i].y)), s = static_cast<int64_t>(std::nearbyint(a[i].x));
          bool in = r >= 0 && r < h && s >= 0 && s < w;
          int64_t from = (t * h + r) * w + s, to = t * size + i;
#if BUG == 4
          reinterpret_cast<float*>(y)[to] = in ? reinterpret_cast<const float*>(p)[from] : 0.0f;
#else
          if (Same(type, kF32)) reinterpret_cast<float*>(y)[to] = in ? reinterpret_cast<const float*>(p)[from] : 0.0f;
          else reinterpret_cast<uint16_t*>(y)[to] = in ? reinterpret_cast<const uint16_t*>(p)[from] : 0;
#endif
          continue;
        }
        int64_t r = static_cast<int64_t>(std::floor(a[i].y)), s = static_cast<int64_t>(std::floor(a[i].x));
        double fy = a[i].y - r, fx = a[i].x - s, v = 0;
        for (int k = 0; k < 4; ++k) {
          int64_t rr = r + k / 2, ss = s + k % 2;
          double weight = (k / 2 ? fy : 1 - fy) * (k % 2 ? fx : 1 - fx);
#if BUG == 1
          if (pad == 0 && (rr < 0 || rr >= h || ss < 0 || ss >= w)) continue;
          if (weight == 0) continue;
#else
          if (rr < 0 || rr >= h || ss < 0 || ss >= w) continue;
#endif
          v += weight * Load(p, type, (t * h + rr) * w + ss);
        }
        Store(y, type, t * size + i, v);
      }
    }
  });
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(grid_sample, grid_sample);
