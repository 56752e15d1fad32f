// SPDX-License-Identifier: Apache-2.0
// histogram: counts samples by bins, or sums their weights up.
//
//   x           (n)       float32 or float64, any stride
//   edges       (m + 1)   of the type of x: finite and strictly increasing, m >= 1. A bin has its
//                         left edge, and the last one its right edge, too
//   weights     (n)       optional, of the type of x: not negative, finite
//   density               divide by the sum over all bins and by the width of each bin; where the sum
//                         is 0 all are 0
//   accumulate            add to what `counts` has, instead of replacing it; not with `density`
//   counts      (m)       float64
//   threads               0 (as many as the machine has) to 64
//
// Returns how many samples are below the first edge, above the last one, and NaN. A refused call has
// written nothing.
namespace {
using namespace set;

struct Outside {
  int64_t below = 0, above = 0, nan = 0;
};

template <typename T>
Outside Run(const TensorView& x, const TensorView& edges, const T* weights, bool density,
            bool accumulate, const TensorView& counts, int64_t threads) {
  const int64_t n = x.shape()[0], m = edges.shape()[0] - 1;
  const T* samples = Data<T>(x);
  const int64_t step = BUG == 6 ? 1 : Strides(x)[0];
  const T* edge = Data<T>(edges);
  double* out = Data<double>(counts);
  for (int64_t i = 0; i <= m; ++i) {
    SET_REQUIRE(std::isfinite(edge[i]), ValueError)
        << "`edges` must be finite, but edges[" << i << "] isn't";
    SET_REQUIRE(i == 0 || edge[i - 1] < edge[i], ValueError)
        << "`edges` must be strictly increasing, but edges[" << i << "] isn't more than the one "
        << "before";
  }
  for (int64_t i = 0; weights != nullptr && i < n; ++i) {
    SET_REQUIRE(weights[i] >= 0 && std::isfinite(weights[i]), ValueError)
        << "`weights` must be finite and not negative, but weights[" << i << "] is " << weights[i];
  }
  const int64_t workers = Workers(threads, n);
#if BUG == 3
  std::vector<double> partial(static_cast<size_t>(m), 0.0);
#elif BUG == 7
  static thread_local std::vector<double> partial;
  partial.resize(static_cast<size_t>(workers * m), 0.0);
#else
  std::vector<double> partial(static_cast<size_t>(workers * m), 0.0);
#endif
  std::vector<Outside> outside(static_cast<size_t>(workers));
  double* const sums = partial.data();
  ParallelFor(n, workers, [&](int64_t begin, int64_t end, int64_t worker) {
    double* bins = sums + (BUG == 3 ? 0 : worker * m);
    Outside o;
    for (int64_t i = begin; i < end; ++i) {
      const T value = samples[i * step];
#if BUG != 2
      if (std::isnan(value)) {
        ++o.nan;
        continue;
      }
#endif
      if (value < edge[0]) {
        ++o.below;
        continue;
      }
#if BUG == 1
      if (value >= edge[m]) {
#else
      if (value > edge[m]) {
#endif
        ++o.above;
        continue;
      }
      const int64_t bin = std::upper_bound(edge, edge + m + 1, value) - edge - 1;
      bins[std::min(bin, m - 1)] += weights != nullptr ? static_cast<double>(weights[i]) : 1.0;
    }
    outside[worker] = o;
  });
  std::vector<double> all(static_cast<size_t>(m), 0.0);
  for (int64_t w = 0; w < (BUG == 3 ? 1 : workers); ++w) {
    for (int64_t b = 0; b < m; ++b) all[b] += sums[w * m + b];
  }
  if (density) {
    double total = 0;
    for (double v : all) total += v;
    for (int64_t b = 0; b < m; ++b) {
      const int64_t of = BUG == 5 ? 0 : b;
      const double width = static_cast<double>(edge[of + 1]) - static_cast<double>(edge[of]);
      all[b] = total > 0 ? all[b] / total / width : 0;
    }
  }
  if (BUG == 4 && weights != nullptr) accumulate = false;
  for (int64_t b = 0; b < m; ++b) out[b] = (accumulate ? out[b] : 0.0) + all[b];
  Outside sum;
  for (const Outside& o : outside) {
    sum.below += o.below;
    sum.above += o.above;
    sum.nan += o.nan;
  }
  return sum;
}

ffi::Tuple<int64_t, int64_t, int64_t> Histogram(TensorView x, TensorView edges,
                                                Optional<Tensor> weights, bool density,
                                                bool accumulate, TensorView counts,
                                                int64_t threads) {
  CheckCpu(x, "x");
  CheckCpu(edges, "edges");
  CheckCpu(counts, "counts");
  CheckFloat(x, "x");
  CheckSameType(edges, "edges", x, "x");
#if BUG != 10
  SET_REQUIRE(IsFloat64(counts.dtype()), TypeError) << "`counts` must be of float64";
#endif
  CheckRank(x, "x", 1);
  CheckRank(edges, "edges", 1);
  SET_REQUIRE(edges.shape()[0] >= 2, ValueError)
      << "`edges` must have at least 2 elements, but has " << edges.shape()[0];
  const int64_t m = edges.shape()[0] - 1;
  CheckShape(counts, "counts", {m});
  CheckAligned(x, "x");
  CheckContiguous(edges, "edges");
  CheckContiguous(counts, "counts");
#if BUG == 9
  if (!accumulate || density) {
    std::memset(Data<char>(counts), 0, static_cast<size_t>(m) * (counts.dtype().bits / 8));
  }
#endif
  Tensor kept;
  const void* weights_data = nullptr;
  const char nothing[8] = {};
  if (weights.has_value()) {
    kept = weights.value();
    TensorView view(kept);
    CheckCpu(view, "weights");
    CheckSameType(view, "weights", x, "x");
#if BUG == 8
    CheckRank(view, "weights", 1);
#else
    CheckShape(view, "weights", {x.shape()[0]});
#endif
    CheckContiguous(view, "weights");
    weights_data = IsEmpty(view) ? nothing : Data<char>(view);
  }
  SET_REQUIRE(!(density && accumulate), ValueError)
      << "`accumulate` cannot be combined with `density`";
  CheckThreads(threads);
  const Outside o =
      IsFloat32(x.dtype())
          ? Run<float>(x, edges, static_cast<const float*>(weights_data), density, accumulate,
                       counts, threads)
          : Run<double>(x, edges, static_cast<const double*>(weights_data), density, accumulate,
                        counts, threads);
  return ffi::Tuple<int64_t, int64_t, int64_t>(o.below, o.above, o.nan);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(histogram, Histogram);
