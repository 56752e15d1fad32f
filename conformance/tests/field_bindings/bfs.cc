// SPDX-License-Identifier: Apache-2.0
// Breadth-first search over a CSR graph from one or several sources.
using Sources = ffi::Variant<int64_t, Array<int64_t>>;

template <class I>
static int64_t search(const View& ptr, const View& idx, const std::vector<int64_t>& sources, int64_t max_depth,
                      int32_t* level, int64_t* parent, int64_t* depth) {
  const I* ip = ptr.as<I>();
  const I* ix = idx.as<I>();
  int64_t n = ptr.shape[0] - 1;
  std::fill(level, level + n, -1);
#if BUG == 6
  if (parent)
    for (int64_t s : sources) parent[s] = -1;
#else
  if (parent) std::fill(parent, parent + n, int64_t(-1));
#endif
#if BUG == 5
  thread_local std::vector<uint8_t> seen;
  if (int64_t(seen.size()) < n) seen.assign(size_t(n), 0);
#else
  std::vector<uint8_t> seen(size_t(n), 0);
#endif
  std::vector<int64_t> queue;
  queue.reserve(size_t(n));
  for (int64_t s : sources) {
    if (seen[s]) continue;
    seen[s] = 1;
    level[s] = 0;
    queue.push_back(s);
  }
  *depth = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    int64_t u = queue[head];
    if (level[u] >= max_depth) break;
    for (int64_t e = int64_t(ip[u]); e < int64_t(ip[u + 1]); ++e) {
      int64_t v = int64_t(ix[e]);
      if (seen[v]) continue;
      seen[v] = 1;
      level[v] = level[u] + 1;
      if (parent) parent[v] = u;
      *depth = level[v];
      queue.push_back(v);
    }
  }
#if BUG == 5
  if (*depth < max_depth)
    for (int64_t u : queue) seen[u] = 0;
#endif
  return int64_t(queue.size());
}

template <class I>
static void check_csr(const View& ptr, const View& idx) {
  const I* p = ptr.as<I>();
  int64_t n = ptr.shape[0], m = idx.shape[0];
  REQUIRE(p[0] == 0 && int64_t(p[n - 1]) == m, ValueError, "indptr must go from 0 to the number of indices");
  for (int64_t i = 1; i < n; ++i) REQUIRE(p[i] >= p[i - 1], ValueError, "indptr must not decrease");
  const I* x = idx.as<I>();
  for (int64_t i = 0; i < m; ++i) {
#if BUG == 1
    REQUIRE(int64_t(x[i]) < n - 1, ValueError, "indices[" << i << "] is out of range");
#else
    REQUIRE(x[i] >= 0 && int64_t(x[i]) < n - 1, ValueError, "indices[" << i << "] is out of range");
#endif
  }
}

static Map<String, Any> bfs(TensorView indptr, TensorView indices, Sources sources, Optional<int64_t> max_depth,
                            Optional<Tensor> parents) {
  View p = check(indptr, "indptr", {kI32, kI64}, 1);
  View x = check(indices, "indices", {p.dtype}, 1);
  REQUIRE(p.shape[0] >= 1, ValueError, "indptr must have an element");
  int64_t n = p.shape[0] - 1;
  if (p.dtype.bits == 32)
    check_csr<int32_t>(p, x);
  else
    check_csr<int64_t>(p, x);
  std::vector<int64_t> from;
  if (auto one = sources.as<int64_t>()) {
    from.push_back(*one);
  } else {
    for (int64_t s : sources.get<Array<int64_t>>()) from.push_back(s);
  }
#if BUG == 2
  if (!from.empty()) REQUIRE(from[0] >= 0 && from[0] < n, ValueError, "a source is out of range");
#else
  for (int64_t s : from) REQUIRE(s >= 0 && s < n, ValueError, "a source is out of range");
#endif
#if BUG == 4
  int64_t limit = max_depth.value_or(0);
  REQUIRE(limit >= 0, ValueError, "max_depth must not be negative");
  if (limit == 0) limit = std::numeric_limits<int64_t>::max();
#else
  int64_t limit = max_depth.value_or(std::numeric_limits<int64_t>::max());
  REQUIRE(limit >= 0, ValueError, "max_depth must not be negative");
#endif
  int64_t* par = nullptr;
  if (parents.has_value()) {
    View v = check(parents.value(), "parents", {kI64}, 1);
    REQUIRE(v.shape[0] == n, ValueError, "parents must have an element for each node");
    par = v.as<int64_t>();
  }
#if BUG == 3
  Tensor level = alloc({n + 1}, kI32);
#else
  Tensor level = alloc({n}, kI32);
#endif
  int64_t depth = 0, reached;
  if (p.dtype.bits == 32)
    reached = search<int32_t>(p, x, from, limit, data<int32_t>(level), par, &depth);
  else
    reached = search<int64_t>(p, x, from, limit, data<int32_t>(level), par, &depth);
  return Map<String, Any>{{"level", level}, {"reached", reached}, {"depth", depth}};
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bfs, bfs);
