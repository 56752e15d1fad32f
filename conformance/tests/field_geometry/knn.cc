// SPDX-License-Identifier: Apache-2.0
// knn: the nearest points of a cloud, for each of some queries.
//
//   points    (n, d)   float32 or float64; rows may lie anywhere
//   queries   (m, d)   of the type of points; rows may lie anywhere
//   k                  how many, 1 to n
//   metric             "l2", "sqeuclidean" (the square of it) or "l1"
//   radius             optional, not negative: points at a larger distance (by the metric) don't count
//   threads            0 (as many as the machine has) to 64
//
// Returns (distances (m, k) of the type of points, indices (m, k) of int64), nearest first; of equally
// near points the one with the smaller index comes first. Where there is no other point the distance
// is infinity and the index -1; so it is where a distance is not finite. Works in double precision.
namespace {
using namespace set;

enum class Metric { kL2, kSquare, kL1 };

using Entry = std::pair<double, int64_t>;

template <typename T>
double Distance(const T* a, const T* b, int64_t d, Metric metric) {
  double sum = 0;
#if BUG == 4
  const bool taxi = metric == Metric::kL1 && sizeof(T) == 4;
#else
  const bool taxi = metric == Metric::kL1;
#endif
  for (int64_t i = 0; i < d; ++i) {
    const double by = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += taxi ? std::fabs(by) : by * by;
  }
  return metric == Metric::kL2 ? std::sqrt(sum) : sum;
}

template <typename T>
void Run(const TensorView& points, const TensorView& queries, int64_t k, Metric metric,
         double radius, T* distances, int64_t* indices, int64_t threads) {
  const int64_t n = points.shape()[0], m = queries.shape()[0], d = points.shape()[1];
  const int64_t point_row = Strides(points)[0];
#if BUG == 8
  const int64_t query_row = d;
#else
  const int64_t query_row = Strides(queries)[0];
#endif
  const T* from = Data<T>(points);
#if BUG == 9
  const T* at = static_cast<const T*>(queries.data_ptr());
#else
  const T* at = Data<T>(queries);
#endif
#if BUG == 6
  std::vector<Entry> nearest;
#endif
  ParallelFor(m, Workers(threads, m), [&](int64_t begin, int64_t end, int64_t) {
#if BUG != 6
    std::vector<Entry> nearest;
#endif
    nearest.reserve(static_cast<size_t>(std::min(k, n)));
    for (int64_t q = begin; q < end; ++q) {
      // A heap of the nearest so far, the farthest of them on top.
      nearest.clear();
      for (int64_t p = 0; p < n; ++p) {
        const double distance = Distance(at + q * query_row, from + p * point_row, d, metric);
#if BUG == 2
        const double limit = metric == Metric::kSquare ? radius * radius : radius;
#else
        const double limit = radius;
#endif
        if (!std::isfinite(distance) || distance > limit) continue;
        const Entry entry{distance, p};
        if (static_cast<int64_t>(nearest.size()) < k) {
          nearest.push_back(entry);
          std::push_heap(nearest.begin(), nearest.end());
#if BUG == 3
        } else if (distance <= nearest.front().first) {
#else
        } else if (entry < nearest.front()) {
#endif
          std::pop_heap(nearest.begin(), nearest.end());
          nearest.back() = entry;
          std::push_heap(nearest.begin(), nearest.end());
        }
      }
      std::sort_heap(nearest.begin(), nearest.end());
      const int64_t found = static_cast<int64_t>(nearest.size());
      for (int64_t i = 0; i < k; ++i) {
        const bool some = i < found;
        distances[q * k + i] =
            some ? static_cast<T>(nearest[i].first) : std::numeric_limits<T>::infinity();
        indices[q * k + i] = some ? nearest[i].second : -1;
      }
    }
  });
}

#if BUG == 5
struct Last {
  int64_t m = -1, k = -1;
  DLDataType type{};
  Tensor distances, indices;
};
#endif

ffi::Tuple<Tensor, Tensor> Knn(TensorView points, TensorView queries, int64_t k, String metric,
                               Optional<double> radius, int64_t threads) {
  CheckCpu(points, "points");
  CheckCpu(queries, "queries");
  CheckFloat(points, "points");
  CheckSameType(queries, "queries", points, "points");
  CheckRank(points, "points", 2);
  CheckRank(queries, "queries", 2);
  const int64_t n = points.shape()[0], m = queries.shape()[0], d = points.shape()[1];
  SET_REQUIRE(d >= 1, ValueError) << "`points` must have at least 1 coordinate";
#if BUG != 7
  CheckShape(queries, "queries", {m, d});
#endif
  CheckRows(points, "points");
  CheckRows(queries, "queries");
  SET_REQUIRE(k >= 1 && (BUG == 1 || k <= n), ValueError)
      << "`k` must be between 1 and the number of points, " << n << ", but is " << k;
  Metric which = Metric::kL2;
  if (metric == "sqeuclidean") {
    which = Metric::kSquare;
  } else if (metric == "l1") {
    which = Metric::kL1;
  } else {
    SET_REQUIRE(metric == "l2", ValueError)
        << "`metric` must be \"l2\", \"sqeuclidean\" or \"l1\", but is \"" << std::string(metric)
        << "\"";
  }
  double limit = std::numeric_limits<double>::infinity();
  if (radius.has_value()) {
    limit = radius.value();
    SET_REQUIRE(limit >= 0, ValueError) << "`radius` must not be negative or NaN, but is " << limit;
  }
  CheckThreads(threads);
#if BUG == 5
  static thread_local Last last;
  if (last.m != m || last.k != k || !SameType(last.type, points.dtype())) {
    last = Last{m, k, points.dtype(), NewTensor({m, k}, points.dtype()),
                NewTensor({m, k}, DLDataType{kDLInt, 64, 1})};
  }
  Tensor distances = last.distances, indices = last.indices;
#else
  Tensor distances = NewTensor({m, k}, points.dtype());
  Tensor indices = NewTensor({m, k}, DLDataType{kDLInt, 64, 1});
#endif
  TensorView near(distances), which_point(indices);
  if (IsFloat32(points.dtype())) {
    Run<float>(points, queries, k, which, limit, Data<float>(near), Data<int64_t>(which_point),
               threads);
  } else {
    Run<double>(points, queries, k, which, limit, Data<double>(near), Data<int64_t>(which_point),
                threads);
  }
  return ffi::Tuple<Tensor, Tensor>(distances, indices);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(knn, Knn);
