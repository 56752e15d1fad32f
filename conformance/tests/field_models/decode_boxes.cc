// SPDX-License-Identifier: Apache-2.0
// Boxes from the regression deltas of a detector and its anchors.
using namespace q1;

static double positive(double w) {
  REQUIRE(w >= 1e-3 && w <= 1e3, ValueError, "weights: must be in [0.001, 1000]");
  return w;
}

static Tensor decode_boxes(TensorView deltas, TensorView anchors, Variant<double, Array<double>> weights,
                           Optional<Tuple<int64_t, int64_t>> clip, String format) {
  const DLDataType T = deltas.dtype();
  REQUIRE(same(T, kF32) || same(T, kF64) || same(T, kF16), TypeError, "deltas: expected float16, float32 or float64");
  REQUIRE(deltas.ndim() >= 2, ValueError, "deltas: expected two dimensions or more");
  check_rank(anchors, 2, "anchors");
  check_dtype(anchors, T, "anchors");
  const int rank = deltas.ndim();
  const int64_t n = deltas.shape()[rank - 2];
  check_size(deltas, rank - 1, 4, "deltas");
  check_size(anchors, 0, n, "anchors");
  check_size(anchors, 1, 4, "anchors");
  for (auto x : {&deltas, &anchors}) {
    check_cpu(*x, "tensor");
    check_aligned(*x, "tensor");
    check_contiguous(*x, "tensor");
  }
  double w[4];
  if (auto one = weights.as<double>()) {
    w[0] = w[1] = w[2] = w[3] = positive(*one);
  } else {
    Array<double> list = weights.get<Array<double>>();
#if BUG == 1
    REQUIRE(list.size() >= 4, ValueError, "weights: expected 4");
#else
    REQUIRE(list.size() == 4, ValueError, "weights: expected 4");
#endif
    for (int i = 0; i < 4; ++i) {
#if BUG == 2
      w[i] = i == 0 ? positive(list[i]) : list[i];
#else
      w[i] = positive(list[i]);
#endif
    }
  }
  const bool corners = format == "xyxy";
#if BUG != 6
  REQUIRE(corners || format == "cxcywh", ValueError, "format: expected xyxy or cxcywh");
#endif
  double height = 0, width = 0;
  if (clip.has_value()) {
    const int64_t ch = clip.value().get<0>(), cw = clip.value().get<1>();
    REQUIRE(corners, ValueError, "clip: only for the format xyxy");
    REQUIRE(ch >= 1 && ch <= 1 << 20, ValueError, "clip: height must be in [1, 1048576]");
    REQUIRE(cw >= 1 && cw <= 1 << 20, ValueError, "clip: width must be in [1, 1048576]");
    height = static_cast<double>(ch);
    width = static_cast<double>(cw);
  }
  const bool clipped = clip.has_value();
#if BUG == 4
  const DLDataType R = same(T, kF16) ? kF32 : T;
#else
  const DLDataType R = T;
#endif
  Tensor boxes = alloc(std::vector<int64_t>(deltas.shape().begin(), deltas.shape().end()), R, deltas.device());
  char* op = static_cast<char*>(boxes.data_ptr()) + boxes.byte_offset();
  const char* dp = base(deltas);
#if BUG == 5
  const char* ap = static_cast<const char*>(anchors.data_ptr());
#else
  const char* ap = base(anchors);
#endif
  const double most = 4.135166556742356;  // log(1000 / 16)
  parallel_for(deltas.numel() / 4, 4096, [&](int64_t i) {
    const int64_t a = i % n * 4;
    const double x0 = load(ap, a, T), y0 = load(ap, a + 1, T);
    const double aw = load(ap, a + 2, T) - x0, ah = load(ap, a + 3, T) - y0;
    const double cx = load(dp, 4 * i, T) / w[0] * aw + x0 + 0.5 * aw;
    const double cy = load(dp, 4 * i + 1, T) / w[1] * ah + y0 + 0.5 * ah;
    const double bw = std::exp(std::min(load(dp, 4 * i + 2, T) / w[2], most)) * aw;
#if BUG == 3
    const double bh = std::exp(load(dp, 4 * i + 3, T) / w[3]) * ah;
#else
    const double bh = std::exp(std::min(load(dp, 4 * i + 3, T) / w[3], most)) * ah;
#endif
    double box[4] = {cx, cy, bw, bh};
    if (corners) {
      box[0] = cx - 0.5 * bw;
      box[1] = cy - 0.5 * bh;
      box[2] = cx + 0.5 * bw;
      box[3] = cy + 0.5 * bh;
      if (clipped) {
        for (int e = 0; e < 4; ++e) box[e] = std::min(std::max(box[e], 0.0), e % 2 ? height : width);
      }
    }
    for (int e = 0; e < 4; ++e) store(op, 4 * i + e, R, box[e]);
  });
  return boxes;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(decode_boxes, decode_boxes);
