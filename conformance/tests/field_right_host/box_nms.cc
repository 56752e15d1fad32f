// SPDX-License-Identifier: Apache-2.0
// Greedy suppression of boxes [x1, y1, x2, y2] that overlap a better one by more than a threshold.
using tvm::ffi::Optional;
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

namespace {

double area(const float* b) {
  return std::max(0.0, double(b[2]) - b[0]) * std::max(0.0, double(b[3]) - b[1]);
}

double overlap(const float* a, const float* b) {
  double w = std::min(double(a[2]), double(b[2])) - std::max(double(a[0]), double(b[0]));
  double h = std::min(double(a[3]), double(b[3])) - std::max(double(a[1]), double(b[1]));
  double both = std::max(0.0, w) * std::max(0.0, h);
  double all = area(a) + area(b) - both;
  return all > 0 ? both / all : 0.0;
}

Tensor nms(TensorView boxes, TensorView scores, double threshold, Optional<int64_t> most) {
  const float* box = kit::dense<float>(boxes, "boxes", 2);
  const float* score = kit::dense<float>(scores, "scores", 1);
  int64_t n = scores.size(0);
  TVM_FFI_CHECK(boxes.size(0) == n, ValueError) << "a score for each box, please";
  TVM_FFI_CHECK(boxes.size(1) == 4, ValueError) << "boxes have four coordinates";
  TVM_FFI_CHECK(threshold >= 0 && threshold <= 1, ValueError) << "threshold is not in [0, 1]";
  TVM_FFI_CHECK(!most.has_value() || *most >= 1, ValueError) << "most must be positive";
  auto finite = [](float v) { return std::isfinite(v); };
  TVM_FFI_CHECK(std::all_of(box, box + 4 * n, finite), ValueError) << "a coordinate is not finite";
  TVM_FFI_CHECK(std::all_of(score, score + n, finite), ValueError) << "a score is not finite";

  std::vector<int64_t> order(n), kept;
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score[a] > score[b]; });
  for (int64_t i : order) {
    if (most.has_value() && static_cast<int64_t>(kept.size()) >= *most) break;
    bool free = std::all_of(kept.begin(), kept.end(), [&](int64_t k) {
      return overlap(box + 4 * k, box + 4 * i) <= threshold;
    });
    if (free) kept.push_back(i);
  }
  Tensor out = kit::fresh({static_cast<int64_t>(kept.size())}, kit::type_of<int64_t>());
  std::copy(kept.begin(), kept.end(), kit::start<int64_t>(out));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(box_nms, nms);
