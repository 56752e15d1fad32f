// SPDX-License-Identifier: Apache-2.0
// shortest_paths: lengths of the shortest paths from some nodes of a directed graph to all others.
//
//   indptr         (n + 1)  int32 or int64: the edges of node u are indptr[u] .. indptr[u + 1]
//   indices        (e)      the node where each edge ends; of the type of indptr
//   weights        (e)      optional, of the type of dist: lengths of the edges, not negative, not
//                           NaN; 1 without it
//   sources        (s)      nodes to start from; of the type of indptr
//   max_dist                optional, not negative: nodes farther away count as not reachable
//   dist           (s, n)   float32 or float64: lengths, infinity where there is no path
//   predecessors   (s, n)   optional, of the type of indptr: the node before on the path, -1 at the
//                           source and where there is no path. Nodes are settled by length, equal
//                           ones by number; of several paths of one length the first found counts
//   threads                 0 (as many as the machine has) to 64
//
// Dijkstra's algorithm, in double precision. A refused call has written nothing.
#include <functional>
#include <queue>

namespace {
using namespace set;

template <typename I>
void CheckGraph(const I* indptr, const I* indices, const I* sources, int64_t n, int64_t e,
                int64_t s) {
  SET_REQUIRE(indptr[0] == 0, ValueError) << "`indptr` must begin with 0";
  SET_REQUIRE(indptr[n] == e, ValueError)
      << "`indptr` must end with the number of edges, " << e << ", not with " << indptr[n];
#if BUG != 8
  for (int64_t u = 0; u < n; ++u) {
    SET_REQUIRE(indptr[u] <= indptr[u + 1], ValueError)
        << "`indptr` must not decrease, but does after element " << u;
  }
#endif
  for (int64_t k = 0; k < e; ++k) {
    SET_REQUIRE(indices[k] >= 0 && (BUG == 1 ? indices[k] <= n : indices[k] < n), ValueError)
        << "`indices` must be between 0 and " << n - 1 << ", but indices[" << k << "] is "
        << indices[k];
  }
  for (int64_t i = 0; i < s; ++i) {
    SET_REQUIRE(sources[i] >= 0 && sources[i] < n, ValueError)
        << "`sources` must be between 0 and " << n - 1 << ", but sources[" << i << "] is "
        << sources[i];
  }
}

struct Scratch {
  std::vector<double> length;
  std::vector<int64_t> before;
  std::vector<char> settled;
  explicit Scratch(int64_t n)
      : length(static_cast<size_t>(n)), before(static_cast<size_t>(n), -1),
        settled(static_cast<size_t>(n)) {}
};

template <typename I, typename W>
void Search(const I* indptr, const I* indices, const W* weights, int64_t n, int64_t source,
            double most, Scratch& w) {
  using Entry = std::pair<double, int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  std::fill(w.length.begin(), w.length.end(), std::numeric_limits<double>::infinity());
  std::fill(w.settled.begin(), w.settled.end(), 0);
  if (BUG != 6) std::fill(w.before.begin(), w.before.end(), -1);
  (void)n;
  w.length[source] = 0;
  w.before[source] = -1;
  queue.push({0.0, source});
  while (!queue.empty()) {
    const Entry top = queue.top();
    queue.pop();
    const int64_t u = top.second;
    if (w.settled[u]) continue;
    w.settled[u] = 1;
    for (I k = indptr[u]; k < indptr[u + 1]; ++k) {
      const int64_t v = indices[k];
      const double step = weights != nullptr ? static_cast<double>(weights[k]) : 1.0;
      const double length = BUG == 7 ? static_cast<float>(top.first + step) : top.first + step;
#if BUG == 3
      if (length >= most || !(length < w.length[v])) continue;
#else
      if (length > most || !(length < w.length[v])) continue;
#endif
      w.length[v] = length;
      w.before[v] = u;
      queue.push({length, v});
    }
  }
}

template <typename I, typename W>
void Run(const TensorView& indptr, const TensorView& indices, const TensorView* weights,
         const TensorView& sources, double most, const TensorView& dist,
         const TensorView* predecessors, int64_t threads) {
  const int64_t n = indptr.shape()[0] - 1, e = indices.shape()[0], s = sources.shape()[0];
  const I* from = Data<I>(indptr);
  const I* to = Data<I>(indices);
  const I* start = Data<I>(sources);
  CheckGraph(from, to, start, n, e, s);
  const W* lengths = weights != nullptr ? Data<W>(*weights) : nullptr;
  for (int64_t k = 0; lengths != nullptr && k < e; ++k) {
#if BUG == 2
    SET_REQUIRE(!(lengths[k] < 0), ValueError)
#else
    SET_REQUIRE(lengths[k] >= 0, ValueError)
#endif
        << "`weights` must not be negative or NaN, but weights[" << k << "] is " << lengths[k];
  }
  W* out = Data<W>(dist);
#if BUG == 9
  using Node = int32_t;
#else
  using Node = I;
#endif
  Node* before = predecessors != nullptr ? Data<Node>(*predecessors) : nullptr;
#if BUG == 4
  Scratch work(n);
#endif
  ParallelFor(s, Workers(threads, s), [&](int64_t begin, int64_t end, int64_t) {
#if BUG != 4
    Scratch work(n);
#endif
    for (int64_t i = begin; i < end; ++i) {
      Search<I, W>(from, to, lengths, n, start[i], most, work);
      for (int64_t v = 0; v < n; ++v) out[i * n + v] = static_cast<W>(work.length[v]);
      if (before == nullptr) continue;
      for (int64_t v = 0; v < n; ++v) {
        before[i * n + v] = static_cast<Node>(work.before[v]);
      }
    }
  });
}

void ShortestPaths(TensorView indptr, TensorView indices, Optional<Tensor> weights,
                   TensorView sources, Optional<double> max_dist, TensorView dist,
                   Optional<Tensor> predecessors, int64_t threads) {
  CheckCpu(indptr, "indptr");
  CheckCpu(indices, "indices");
  CheckCpu(sources, "sources");
  CheckCpu(dist, "dist");
  CheckIndexType(indptr, "indptr");
  CheckSameType(indices, "indices", indptr, "indptr");
#if BUG != 5
  CheckSameType(sources, "sources", indptr, "indptr");
#endif
  CheckFloat(dist, "dist");
  CheckRank(indptr, "indptr", 1);
  CheckRank(indices, "indices", 1);
  CheckRank(sources, "sources", 1);
  SET_REQUIRE(indptr.shape()[0] >= 1, ValueError) << "`indptr` must have at least 1 element";
  const int64_t n = indptr.shape()[0] - 1, e = indices.shape()[0], s = sources.shape()[0];
  CheckShape(dist, "dist", {s, n});
  CheckContiguous(indptr, "indptr");
  CheckContiguous(indices, "indices");
  CheckContiguous(sources, "sources");
  CheckContiguous(dist, "dist");
  Tensor kept_weights, kept_predecessors;
  std::unique_ptr<TensorView> weights_view, predecessors_view;
  if (weights.has_value()) {
    kept_weights = weights.value();
    weights_view = std::make_unique<TensorView>(kept_weights);
    CheckCpu(*weights_view, "weights");
    CheckSameType(*weights_view, "weights", dist, "dist");
    CheckShape(*weights_view, "weights", {e});
    CheckContiguous(*weights_view, "weights");
  }
  if (predecessors.has_value()) {
    kept_predecessors = predecessors.value();
    predecessors_view = std::make_unique<TensorView>(kept_predecessors);
    CheckCpu(*predecessors_view, "predecessors");
    CheckSameType(*predecessors_view, "predecessors", indptr, "indptr");
    CheckShape(*predecessors_view, "predecessors", {s, n});
    CheckContiguous(*predecessors_view, "predecessors");
  }
  double most = std::numeric_limits<double>::infinity();
  if (max_dist.has_value()) {
    most = max_dist.value();
    SET_REQUIRE(most >= 0, ValueError) << "`max_dist` must not be negative or NaN, but is " << most;
  }
  CheckThreads(threads);
  const bool wide = IsInt64(indptr.dtype()), narrow = IsFloat32(dist.dtype());
  auto run = [&](auto index, auto weight) {
    Run<decltype(index), decltype(weight)>(indptr, indices, weights_view.get(), sources, most, dist,
                                           predecessors_view.get(), threads);
  };
  if (wide) {
    narrow ? run(int64_t{}, float{}) : run(int64_t{}, double{});
  } else {
    narrow ? run(int32_t{}, float{}) : run(int32_t{}, double{});
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(shortest_paths, ShortestPaths);
