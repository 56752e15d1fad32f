// SPDX-License-Identifier: Apache-2.0
// Nodes 0 to n-1 so that each edge (a, b) has a before b. Of those that may come next the lowest
// does.
using tvm::ffi::Array;
using tvm::ffi::Tuple;

static Array<int64_t> toposort(int64_t n, Array<Tuple<int64_t, int64_t>> edges) {
  if (n < 1 || n > 500) TVM_FFI_THROW(ValueError) << "n must be from 1 to 500, not " << n;
  std::vector<std::vector<int64_t>> next(n);
  std::vector<int64_t> waits(n, 0);
  for (const auto& edge : edges) {
    const auto [a, b] = edge;
    for (int64_t v : {a, b})
      if (v < 0 || v >= n) TVM_FFI_THROW(IndexError) << "an edge has the node " << v;
    next[a].push_back(b);
    ++waits[b];
  }
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<int64_t>> ready;
  for (int64_t v = 0; v < n; ++v)
    if (waits[v] == 0) ready.push(v);
  Array<int64_t> order;
  order.reserve(n);
  while (!ready.empty()) {
    int64_t v = ready.top();
    ready.pop();
    order.push_back(v);
    for (int64_t w : next[v])
      if (--waits[w] == 0) ready.push(w);
  }
  if (static_cast<int64_t>(order.size()) != n)
    TVM_FFI_THROW(ValueError) << n - order.size() << " nodes are on a cycle or behind one";
  return order;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(topo_sort, toposort);
