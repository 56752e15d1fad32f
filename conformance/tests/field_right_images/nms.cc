// SPDX-License-Identifier: Apache-2.0
// Greedy suppression of boxes that overlap a better one. Boxes are (left, top, right, bottom).
namespace {
using namespace kit;

struct Settings {
  double iou = 0;
  int64_t most = -1;  // no limit
  ffi::Optional<double> floor;
};

double number(const ffi::String& key, const ffi::Any& value) {
  if (auto v = value.try_cast<double>()) return *v;
  TVM_FFI_THROW(TypeError) << "options: " << key << " must be a number";
  TVM_FFI_UNREACHABLE();
}

Settings settings(const ffi::Map<ffi::String, ffi::Any>& options) {
  Settings s;
  bool has_iou = false;
  for (const auto& [key, value] : options) {
    if (key == "iou") {
      s.iou = number(key, value);
      has_iou = true;
    } else if (key == "max_out") {
      auto most = value.try_cast<int64_t>();
      if (!most) TVM_FFI_THROW(TypeError) << "options: max_out must be an int";
      s.most = *most;
      if (s.most < 1) TVM_FFI_THROW(ValueError) << "max_out must be 1 or more";
    } else if (key == "score_floor") {
      s.floor = number(key, value);
      if (std::isnan(s.floor.value())) TVM_FFI_THROW(ValueError) << "score_floor is NaN";
    } else {
      TVM_FFI_THROW(KeyError) << "unknown option " << key;
    }
  }
  if (!has_iou) TVM_FFI_THROW(KeyError) << "option iou is missing";
  if (!(s.iou >= 0 && s.iou <= 1)) TVM_FFI_THROW(ValueError) << "iou must be from 0 to 1";
  return s;
}

int64_t area(const int32_t* b) { return int64_t(b[2] - b[0]) * (b[3] - b[1]); }

bool overlaps(const int32_t* a, const int32_t* b, double iou) {
  int64_t w = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  int64_t h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  if (w <= 0 || h <= 0) return false;
  return double(w * h) > iou * double(area(a) + area(b) - w * h);
}

ffi::Tensor nms(TensorView boxes, TensorView scores, ffi::Map<ffi::String, ffi::Any> options) {
  Settings s = settings(options);
  const int32_t* box = elements<int32_t>(boxes, "boxes", 2);
  const float* score = elements<float>(scores, "scores", 1);
  int64_t n = boxes.size(0);
  if (boxes.size(1) != 4) TVM_FFI_THROW(ValueError) << "boxes must have four coordinates";
  if (scores.size(0) != n) TVM_FFI_THROW(ValueError) << "boxes and scores differ in number";
  for (int64_t i = 0; i < 4 * n; ++i) {
    if (box[i] < -32768 || box[i] > 32767) {
      TVM_FFI_THROW(ValueError) << "a coordinate is beyond 16 bits: " << box[i];
    }
  }
  std::vector<int64_t> order, kept;
  for (int64_t i = 0; i < n; ++i) {
    if (box[4 * i] > box[4 * i + 2] || box[4 * i + 1] > box[4 * i + 3]) {
      TVM_FFI_THROW(ValueError) << "box " << i << " is inside out";
    }
    if (!std::isfinite(score[i])) TVM_FFI_THROW(ValueError) << "score " << i << " is not finite";
    if (!s.floor.has_value() || score[i] >= s.floor.value()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score[a] > score[b]; });
  for (int64_t i : order) {
    if (s.most >= 0 && int64_t(kept.size()) == s.most) break;
    bool free = std::none_of(kept.begin(), kept.end(), [&](int64_t k) {
      return overlaps(box + 4 * k, box + 4 * i, s.iou);
    });
    if (free) kept.push_back(i);
  }
  ffi::Tensor out = make<int64_t>({int64_t(kept.size())});
  std::copy(kept.begin(), kept.end(), fresh<int64_t>(out));
  return out;
}
}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nms, nms);
