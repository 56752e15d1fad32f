// SPDX-License-Identifier: Apache-2.0
// grid_sample(x, grid, mode, padding, align_corners) -> sampled image; x may have any strides.
using namespace set;

template <class D>
static void sample(const TensorView& x, const TensorView& grid, bool nearest, bool border, bool align, const Tensor& out) {
  using raw = typename D::raw;
  const int64_t N = x.size(0), C = x.size(1), H = x.size(2), W = x.size(3), P = grid.size(1) * grid.size(2);
#if BUG == 1
  const std::vector<int64_t> s = {C * H * W, H * W, W, 1};
#else
  const std::vector<int64_t> s = strides_of(x);
#endif
  const raw* src = ptr<raw>(x);
  const float* g = ptr<float>(grid);
  raw* dst = static_cast<raw*>(out.data_ptr());
#if BUG == 6
  static std::vector<double> ys, xs;
#else
  std::vector<double> ys, xs;
#endif
  ys.resize(P);
  xs.resize(P);
  auto place = [&](double v, int64_t size) {
#if BUG == 7
    bool corners = align && !nearest;
#else
    bool corners = align;
#endif
    v = corners ? (v + 1) / 2 * double(size - 1) : ((v + 1) * double(size) - 1) / 2;
    if (border) {
      if (!(v > 0)) return 0.0;
#if BUG == 4
      return std::min(v, double(size));
#else
      return std::min(v, double(size - 1));
#endif
    }
    if (!(v > -1.0)) return -2.0;  // NaN too
    return std::min(v, double(size) + 1);
  };
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t p = 0; p < P; ++p) {
      xs[p] = place(g[(n * P + p) * 2], W);
      ys[p] = place(g[(n * P + p) * 2 + 1], H);
    }
    parallel(C, std::max<int64_t>(1, 16384 / std::max<int64_t>(P, 1)), [&](int64_t c0, int64_t c1) {
      for (int64_t c = c0; c < c1; ++c) {
        const raw* plane = src + n * s[0] + c * s[1];
        raw* o = dst + (n * C + c) * P;
        auto at = [&](int64_t yy, int64_t xx) -> double {
#if BUG == 4
          if (!border && (yy < 0 || xx < 0 || yy >= H || xx >= W)) return 0.0;
#else
          if (yy < 0 || xx < 0 || yy >= H || xx >= W) return 0.0;
#endif
          return D::load(plane[yy * s[2] + xx * s[3]]);
        };
        for (int64_t p = 0; p < P; ++p) {
          double y = ys[p], xv = xs[p];
          if (nearest) {
#if BUG == 5
            o[p] = D::store(at(int64_t(y + 0.5), int64_t(xv + 0.5)));
#else
            o[p] = D::store(at(int64_t(std::nearbyint(y)), int64_t(std::nearbyint(xv))));
#endif
            continue;
          }
          double fy = std::floor(y), fx = std::floor(xv), wy = y - fy, wx = xv - fx;
          int64_t y0 = int64_t(fy), x0 = int64_t(fx);
          double v = 0;
          if ((1 - wy) * (1 - wx) != 0) v += (1 - wy) * (1 - wx) * at(y0, x0);
          if ((1 - wy) * wx != 0) v += (1 - wy) * wx * at(y0, x0 + 1);
          if (wy * (1 - wx) != 0) v += wy * (1 - wx) * at(y0 + 1, x0);
          if (wy * wx != 0) v += wy * wx * at(y0 + 1, x0 + 1);
          o[p] = D::store(v);
        }
      }
    });
  }
}

static Tensor grid_sample(TensorView x, TensorView grid, String mode, String padding, bool align_corners) {
  DLDataType t = x.dtype();
  REQUIRE(same(t, kF32) || same(t, kF16) || same(t, kBF16), TypeError, "x must be float32, float16 or bfloat16");
  need_basic(x, "x", 4);
  need(grid, "grid", kF32, 4);
#if BUG != 2
  REQUIRE(grid.size(0) == x.size(0), ValueError, "grid has another batch size than x");
#endif
  REQUIRE(grid.size(3) == 2, ValueError, "grid must have 2 coordinates");
  REQUIRE(x.size(2) > 0 && x.size(3) > 0, ValueError, "x must have pixels");
  REQUIRE(mode == "bilinear" || mode == "nearest", ValueError, "mode must be \"bilinear\" or \"nearest\"");
  REQUIRE(padding == "zeros" || padding == "border", ValueError, "padding must be \"zeros\" or \"border\"");
  int64_t total = 1;
  for (int64_t e : {x.size(0), x.size(1), grid.size(1), grid.size(2), int64_t(4)})
    REQUIRE(!__builtin_mul_overflow(total, e, &total), ValueError, "the result is too large");
  Tensor out = alloc({x.size(0), x.size(1), grid.size(1), grid.size(2)}, t, x.device());
  if (count(out) == 0) return out;
  bool nearest = mode == "nearest", border = padding == "border";
  if (same(t, kF32)) {
    sample<F32>(x, grid, nearest, border, align_corners, out);
#if BUG == 3
  } else if (t.bits == 16) {
    sample<F16>(x, grid, nearest, border, align_corners, out);
#endif
  } else if (same(t, kF16)) {
    sample<F16>(x, grid, nearest, border, align_corners, out);
  } else {
    sample<BF16>(x, grid, nearest, border, align_corners, out);
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(grid_sample, grid_sample);
