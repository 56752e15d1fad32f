// SPDX-License-Identifier: Apache-2.0
// PageRank by power iteration over a list of edges.
using kit::elements;
using kit::TensorView;
using tvm::ffi::Optional;
using tvm::ffi::Tensor;

static const double* amounts(const Optional<Tensor>& t, const char* name, int64_t n) {
  if (!t.has_value()) return nullptr;
  Tensor given = t.value();
  TensorView view(given);
  const double* at = elements<double>(view, name, 1);
  TVM_FFI_CHECK(view.size(0) == n, ValueError) << name << " must have " << n << " elements";
  for (int64_t i = 0; i < n; ++i) {
    TVM_FFI_CHECK(std::isfinite(at[i]) && at[i] >= 0, ValueError)
        << name << "[" << i << "] must be finite and not negative";
  }
  return at;
}

static Tensor pagerank(TensorView src, TensorView dst, int64_t n, double damping, int64_t rounds,
                       Optional<Tensor> weights, Optional<Tensor> reset, Optional<int64_t> seed) {
  TVM_FFI_CHECK(n >= 1 && n <= 1000, ValueError) << "n must be 1 to 1000";
  TVM_FFI_CHECK(damping >= 0 && damping < 1, ValueError) << "damping must be at least 0, below 1";
  TVM_FFI_CHECK(rounds >= 0 && rounds <= 100, ValueError) << "rounds must be 0 to 100";
  TVM_FFI_CHECK(!reset.has_value() || !seed.has_value(), ValueError)
      << "reset and seed can't both be given";
  const int64_t *from = elements<int64_t>(src, "src", 1), *to = elements<int64_t>(dst, "dst", 1);
  const int64_t e = src.size(0);
  TVM_FFI_CHECK(dst.size(0) == e, ValueError) << "src and dst differ in length";
  for (int64_t i = 0; i < e; ++i) {
    TVM_FFI_CHECK(from[i] >= 0 && from[i] < n, IndexError) << "src of edge " << i;
    TVM_FFI_CHECK(to[i] >= 0 && to[i] < n, IndexError) << "dst of edge " << i;
  }
  const double* weight = amounts(weights, "weights", e);
  const double* again = amounts(reset, "reset", n);

  std::vector<double> start(n, 1.0 / double(n)), out(n, 0.0);
  if (again) {
    double sum = std::accumulate(again, again + n, 0.0);
    TVM_FFI_CHECK(sum > 0 && std::isfinite(sum), ValueError) << "the sum of reset must be positive";
    for (int64_t v = 0; v < n; ++v) start[v] = again[v] / sum;
  } else if (seed.has_value()) {
    int64_t s = seed.value();
    TVM_FFI_CHECK(s >= 0 && s < n, IndexError) << "seed is not a vertex";
    std::fill(start.begin(), start.end(), 0.0);
    start[s] = 1;
  }
  for (int64_t i = 0; i < e; ++i) out[from[i]] += weight ? weight[i] : 1.0;

  std::vector<double> rank(start), next(n);
  for (int64_t round = 0; round < rounds; ++round) {
    double lost = 0;
    for (int64_t v = 0; v < n; ++v) {
      if (out[v] == 0) lost += rank[v];
    }
    std::fill(next.begin(), next.end(), 0.0);
    for (int64_t i = 0; i < e; ++i) {
      double w = weight ? weight[i] : 1.0;
      if (w > 0) next[to[i]] += rank[from[i]] * (w / out[from[i]]);
    }
    for (int64_t v = 0; v < n; ++v) {
      rank[v] = damping * next[v] + (damping * lost + 1 - damping) * start[v];
    }
  }
  Tensor result = kit::make<double>({n});
  std::copy(rank.begin(), rank.end(), kit::fresh<double>(result));
  return result;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pagerank, pagerank);
