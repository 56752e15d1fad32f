// SPDX-License-Identifier: Apache-2.0
// fps(points, ptr, k, start, dist): farthest point sampling of k points of each cloud of a batch.
using namespace set;

template <typename T>
void CheckFinite(const T* p, int64_t n) {
  for (int64_t i = 0; i < n; ++i) REQUIRE(std::isfinite(p[i]), ValueError) << "points must be finite";
}

template <typename T>
void Sample(const T* points, int64_t d, int64_t first, int64_t len, int64_t k, int64_t at, int64_t* index, double* dist,
            std::vector<double>& best) {
#if BUG == 3
  if (static_cast<int64_t>(best.size()) != len) best.assign(len, std::numeric_limits<double>::infinity());
#else
  best.assign(len, std::numeric_limits<double>::infinity());
#endif
  double reached = 0;
  for (int64_t j = 0; j < k; ++j) {
    index[j] = first + at;
    if (dist) dist[j] = reached;
    const T* from = points + (first + at) * d;
    int64_t next = 0;
    double far = -1;
    for (int64_t i = 0; i < len; ++i) {
      const T* to = points + (first + i) * d;
#if BUG == 2
      float sum = 0;
      for (int64_t c = 0; c < d; ++c) {
        float diff = static_cast<float>(to[c]) - static_cast<float>(from[c]);
        sum += diff * diff;
      }
#else
      double sum = 0;
      for (int64_t c = 0; c < d; ++c) {
        double diff = static_cast<double>(to[c]) - static_cast<double>(from[c]);
        sum += diff * diff;
      }
#endif
      if (sum < best[i]) best[i] = sum;
      if (best[i] > far) {
        far = best[i];
        next = i;
      }
    }
    at = next;
    reached = far;
  }
}

Tensor FPS(TensorView points, TensorView ptr, int64_t k, Optional<Tensor> start_, Optional<Tensor> dist_) {
  CheckCPU(points, "points");
  CheckRank(points, "points", 2);
  CheckDtype(points, "points", {kF32, kF64});
  CheckContiguous(points, "points");
  CheckVector(ptr, "ptr", {kI64});
  int64_t n = points.size(0), d = points.size(1), b = ptr.size(0) - 1;
  REQUIRE(b >= 0, ValueError) << "ptr must have an element at least";
  REQUIRE(k >= 0 && k <= n, ValueError) << "k must be in 0.." << n << ", is " << k;
  const int64_t* p = Data<int64_t>(ptr);
#if BUG != 4
  REQUIRE(p[0] == 0, ValueError) << "ptr must begin with 0";
#endif
  REQUIRE(p[b] == n, ValueError) << "ptr must end with the number of points";
  for (int64_t i = 0; i < b; ++i) {
    REQUIRE(p[i] <= p[i + 1], ValueError) << "ptr must not decrease";
    REQUIRE(p[i + 1] - p[i] >= k, ValueError) << "cloud " << i << " has fewer than k points";
  }
  const int64_t* start = nullptr;
  if (start_.has_value()) {
    TensorView s = View(start_);
    CheckVector(s, "start", {kI64});
    REQUIRE(s.size(0) == b, ValueError) << "start must have an element for each cloud";
#if BUG == 5
    start = static_cast<const int64_t*>(s.data_ptr());
#else
    start = Data<int64_t>(s);
#endif
    for (int64_t i = 0; i < b; ++i) {
#if BUG == 1
      REQUIRE(start[i] >= 0 && start[i] < n, ValueError) << "start is out of its cloud";
#else
      REQUIRE(start[i] >= 0 && start[i] < p[i + 1] - p[i], ValueError) << "start is out of its cloud";
#endif
    }
  }
  double* dist = nullptr;
  if (dist_.has_value()) {
    TensorView t = View(dist_);
    CheckCPU(t, "dist");
    CheckRank(t, "dist", 2);
    CheckDtype(t, "dist", {kF64});
    CheckContiguous(t, "dist");
    REQUIRE(t.size(0) == b && t.size(1) == k, ValueError) << "dist must have the shape (" << b << ", " << k << ")";
    dist = Data<double>(t);
  }
  bool single = Same(points.dtype(), kF32);
#if BUG == 6
  int64_t* row = new int64_t[k + 64];
#else
  std::vector<int64_t> row(k);
#endif
  if (single) {
    CheckFinite(Data<float>(points), n * d);
  } else {
    CheckFinite(Data<double>(points), n * d);
  }
  Tensor index = NewTensor({b, k}, kI64);
  std::vector<double> best;
  for (int64_t i = 0; i < b && k > 0; ++i) {
    int64_t at = start ? start[i] : 0, len = p[i + 1] - p[i];
    double* to = dist ? dist + i * k : nullptr;
    if (single) {
      Sample(Data<float>(points), d, p[i], len, k, at, &row[0], to, best);
    } else {
      Sample(Data<double>(points), d, p[i], len, k, at, &row[0], to, best);
    }
    std::copy(&row[0], &row[0] + k, Data<int64_t>(index) + i * k);
  }
#if BUG == 6
  delete[] row;
#endif
  return index;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fps, FPS);
