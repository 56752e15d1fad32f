// SPDX-License-Identifier: Apache-2.0
// Greedy suppression of overlapping boxes (centre x, centre y, width, height): those that stay.
namespace detection {

using namespace set;

struct Box {
  double left, top, right, bottom;
  explicit Box(const float* b)
      : left(b[0] - b[2] / 2.0),
        top(b[1] - b[3] / 2.0),
        right(b[0] + b[2] / 2.0),
        bottom(b[1] + b[3] / 2.0) {}
  double Area() const { return (right - left) * (bottom - top); }
};

// How much of the union of two boxes lies in both.
double Overlap(const Box& a, const Box& b) {
  const double w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (!(w > 0 && h > 0)) return 0;
  const double both = w * h;
  return both / (a.Area() + b.Area() - both);
}

Tensor Suppress(TensorView boxes, TensorView scores, double threshold, Optional<int64_t> limit) {
  const DLTensor *tb = Raw(boxes), *ts = Raw(scores);
  const float* b = Elements<float>(tb, "boxes");
  const float* s = Elements<float>(ts, "scores");
  NeedRank(ts, 1, "scores");
  const int64_t n = ts->shape[0];
  NeedShape(tb, {n, 4}, "boxes");
  NeedRows(tb, "boxes");
  NeedCompact(ts, "scores");
  if (!(threshold >= 0 && threshold <= 1)) TVM_FFI_THROW(ValueError) << "threshold: 0 to 1";
  if (limit.has_value() && limit.value() < 1) TVM_FFI_THROW(ValueError) << "limit: at least 1";
  for (int64_t i = 0; i < n; ++i) {
    if (std::isnan(s[i])) TVM_FFI_THROW(ValueError) << "scores[" << i << "] is no number";
  }
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [s](int64_t i, int64_t j) { return s[i] > s[j]; });

  const int64_t most = limit.has_value() ? limit.value() : n;
  std::vector<int64_t> kept;
  std::vector<Box> found;
  for (int64_t i : order) {
    if (static_cast<int64_t>(kept.size()) >= most) break;
    const Box box(b + i * Stride(tb, 0));
    const bool covered = std::any_of(found.begin(), found.end(), [&](const Box& other) {
      return Overlap(other, box) > threshold;
    });
    if (covered) continue;
    kept.push_back(i);
    found.push_back(box);
  }
  Tensor out = NewTensor({static_cast<int64_t>(kept.size())}, TypeOf<int64_t>());
  std::copy(kept.begin(), kept.end(), Elements<int64_t>(out.GetDLTensorPtr(), "result"));
  return out;
}

}  // namespace detection

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nms, detection::Suppress);
