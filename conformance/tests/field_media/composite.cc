// SPDX-License-Identifier: Apache-2.0
// Blends RGBA layers with premultiplied alpha over each other, the last on top.

static void CheckOpacity(double v) { REQUIRE(v >= 0 && v <= 1, ValueError, "opacity must be in [0, 1], got " << v); }

Tensor composite(Array<Tensor> layers, String mode, Variant<double, Array<double>> opacity, Optional<Tensor> background,
                 TensorView out) {
  int kind;
  if (mode == "over") kind = 0;
  else if (mode == "add") kind = 1;
  else if (mode == "screen") kind = 2;
  else TVM_FFI_THROW(ValueError) << "unknown mode " << mode;
  CheckType("out", out, {kF32, kF16});
  CheckRank("out", out, 3);
  REQUIRE(out.size(2) == 4, ValueError, "out: 4 channels expected");
  CheckContiguous("out", out);
  DLDataType type = out.dtype();
  int64_t h = out.size(0), w = out.size(1);
  int64_t k = static_cast<int64_t>(layers.size());
  REQUIRE(k >= 1, ValueError, "at least one layer");
  struct Image {
    const char* data;
    int64_t sy, sx;
  };
  std::vector<Image> images;
  for (int64_t i = 0; i < k; ++i) {
    Tensor held = layers[i];
    REQUIRE(held.defined(), TypeError, "layers: None among them");
    TensorView t = held;
    CheckType("layers", t, {type});
#if BUG == 1
    if (i == 0) CheckShape("layers", t, {h, w, 4});
    else CheckRank("layers", t, 3);
#else
    CheckShape("layers", t, {h, w, 4});
#endif
    CheckRows("layers", t);
#if BUG == 2
    if (i > 0) images.push_back({Ptr<char>(t), images[0].sy, images[0].sx});
    else
#endif
      images.push_back({Ptr<char>(t), StrideOf(t, 0), StrideOf(t, 1)});
  }
  std::vector<double> alpha;
  if (std::optional<double> one = opacity.as<double>()) {
    CheckOpacity(*one);
    alpha.assign(k, *one);
  } else {
    Array<double> each = opacity.get<Array<double>>();
    REQUIRE(static_cast<int64_t>(each.size()) == k, ValueError, "an opacity for each layer expected");
    for (int64_t i = 0; i < k; ++i) {
      double v = each[i];
#if BUG == 6
      REQUIRE(v <= 1, ValueError, "opacity must be in [0, 1], got " << v);
#else
      CheckOpacity(v);
#endif
      alpha.push_back(v);
    }
  }
  const char* below = nullptr;
  if (background.has_value()) {
    Tensor held = background.value();
    TensorView b = held;
    CheckType("background", b, {type});
    CheckShape("background", b, {h, w, 4});
    CheckContiguous("background", b);
    below = Ptr<char>(b);
  }
  char* y = Ptr<char>(out);
#if BUG == 3
  if (!below) below = y;
#endif
#if BUG == 4
  if (h * w > 0) std::memset(y, 0, h * w * 4 * (type.bits / 8));
#endif
  Tensor coverage = Alloc({h, w}, type);
  char* cover = Ptr<char>(coverage);
#if BUG == 5
  static std::vector<double> row;
  row.resize(std::max<size_t>(row.size(), w * 4));
  for (int64_t i = 0; i < h; ++i) {
    for (int64_t e = 0; e < w * 4; ++e) row[e] = below ? Load(below, type, i * w * 4 + e) : 0.0;
    for (int64_t l = 0; l < k; ++l) {
      const Image& m = images[l];
      for (int64_t j = 0; j < w; ++j) {
        double a = Load(m.data, type, i * m.sy + j * m.sx + 3) * alpha[l];
        for (int c = 0; c < 4; ++c) {
          double v = Load(m.data, type, i * m.sy + j * m.sx + c) * alpha[l], &to = row[j * 4 + c];
          to = kind == 0 ? v + to * (1 - a) : kind == 1 ? to + v : 1 - (1 - to) * (1 - v);
        }
      }
    }
    for (int64_t e = 0; e < w * 4; ++e) Store(y, type, i * w * 4 + e, row[e]);
    for (int64_t j = 0; j < w; ++j) Store(cover, type, i * w + j, row[j * 4 + 3]);
  }
#else
  ParallelFor(h, std::max<int64_t>(1, 16384 / (w + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t j = 0; j < w; ++j) {
        double pixel[4];
        for (int c = 0; c < 4; ++c) pixel[c] = below ? Load(below, type, (i * w + j) * 4 + c) : 0.0;
        for (int64_t l = 0; l < k; ++l) {
          const Image& m = images[l];
          double a = Load(m.data, type, i * m.sy + j * m.sx + 3) * alpha[l];
          for (int c = 0; c < 4; ++c) {
            double v = Load(m.data, type, i * m.sy + j * m.sx + c) * alpha[l], &to = pixel[c];
            to = kind == 0 ? v + to * (1 - a) : kind == 1 ? to + v : 1 - (1 - to) * (1 - v);
          }
        }
        for (int c = 0; c < 4; ++c) Store(y, type, (i * w + j) * 4 + c, pixel[c]);
        Store(cover, type, i * w + j, pixel[3]);
      }
    }
  });
#endif
  return coverage;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(composite, composite);
