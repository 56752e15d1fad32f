// SPDX-License-Identifier: Apache-2.0
// The k nearest of some points, by squared, absolute or largest differences. Of equally far points
// the first ones are taken.
namespace {

using vx::Num;
using vx::View;

enum Metric { kL2, kL1, kLinf };

Metric MetricOf(std::string_view name) {
  static const std::map<std::string_view, Metric> all = {
      {"l2", kL2}, {"l1", kL1}, {"linf", kLinf}};
  const auto found = all.find(name);
  if (found == all.end()) TVM_FFI_THROW(ValueError) << "metric: l2, l1 or linf, not " << name;
  return found->second;
}

void NeedFinite(const View& v, const char* name) {
  for (int64_t i = 0; i < v.shape[0]; ++i) {
    for (int64_t c = 0; c < v.shape[1]; ++c) {
      if (!std::isfinite(v.Get(i, c))) TVM_FFI_THROW(ValueError) << name << ": must be finite";
    }
  }
}

// Gives the largest distance of all that were found, or 0 if there are none.
double Knn(DLTensor* points, DLTensor* queries, int64_t k, vx::ffi::String metric,
           DLTensor* nearest, vx::ffi::Optional<vx::ffi::Tensor> distances) {
  const View p = vx::Look(points, "points", 2, {Num::F32, Num::F16, Num::F64});
  const View q = vx::Look(queries, "queries", 2, {p.num});
  const View at = vx::Look(nearest, "nearest", 2, {Num::I64, Num::I32});
  const int64_t n = p.shape[0];
  const int64_t m = q.shape[0];
  const int64_t d = p.shape[1];
  if (k < 1 || k > n) TVM_FFI_THROW(ValueError) << "k: from 1 to " << n << ", not " << k;
  vx::SameShape(q, "queries", {m, d});
  vx::SameShape(at, "nearest", {m, k});
  const Metric how = MetricOf(std::string_view(metric.data(), metric.size()));
  View far;
  if (distances.has_value()) {
    far = vx::Look(distances.value(), "distances", 2, {Num::F64});
    vx::SameShape(far, "distances", {m, k});
  }
  NeedFinite(p, "points");
  NeedFinite(q, "queries");

  double largest = 0;
  std::vector<std::pair<double, int64_t>> all(static_cast<size_t>(n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t c = 0; c < d; ++c) {
        const double apart = std::fabs(q.Get(i, c) - p.Get(j, c));
        sum = how == kL2 ? sum + apart * apart : how == kL1 ? sum + apart : std::max(sum, apart);
      }
      all[static_cast<size_t>(j)] = {sum, j};
    }
    std::partial_sort(all.begin(), all.begin() + k, all.end());
    for (int64_t j = 0; j < k; ++j) {
      const auto& [distance, index] = all[static_cast<size_t>(j)];
      at.Put(static_cast<double>(index), i, j);
      if (distances.has_value()) far.Put(distance, i, j);
      largest = std::max(largest, distance);
    }
  }
  return largest;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(knn, Knn);
