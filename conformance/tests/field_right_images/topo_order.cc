// SPDX-License-Identifier: Apache-2.0
// topo_order(n, edges, *roots): the first of all topological orders, of what the roots lead to, or
// of all vertices if there are no roots. A function of the plain C interface.
using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;

namespace {

struct Graph {
  std::vector<std::vector<int64_t>> next;
  std::vector<char> used;
};

template <typename T>
void read(Graph* g, kit::TensorView edges) {
  const T* e = kit::elements<T>(edges, "edges", 2);
  if (edges.size(1) != 2) TVM_FFI_THROW(ValueError) << "an edge has two ends";
  int64_t n = int64_t(g->next.size());
  for (int64_t i = 0; i < edges.size(0); ++i, e += 2) {
    for (int end = 0; end < 2; ++end) {
      if (e[end] < 0 || e[end] >= n) TVM_FFI_THROW(IndexError) << "edge " << i << " leaves the graph";
    }
    if (e[0] == e[1]) TVM_FFI_THROW(ValueError) << "edge " << i << " is a loop";
    g->next[e[0]].push_back(e[1]);
  }
}

void reach(Graph* g, int64_t root) {
  std::vector<int64_t> open{root};
  while (!open.empty()) {
    int64_t v = open.back();
    open.pop_back();
    if (g->used[v]) continue;
    g->used[v] = 1;
    open.insert(open.end(), g->next[v].begin(), g->next[v].end());
  }
}

Array<int64_t> order(const AnyView* args, int32_t count) {
  if (count < 2) TVM_FFI_THROW(TypeError) << "topo_order(n, edges, *roots)";
  int64_t n = args[0].cast<int64_t>();
  kit::TensorView edges = args[1].cast<kit::TensorView>();
  std::vector<int64_t> roots;
  for (int32_t i = 2; i < count; ++i) roots.push_back(args[i].cast<int64_t>());
  if (n < 0 || n > 512) TVM_FFI_THROW(ValueError) << "n is not in 0..512";
  Graph g{std::vector<std::vector<int64_t>>(n), std::vector<char>(n, roots.empty())};
  if (kit::holds<int32_t>(edges)) {
    read<int32_t>(&g, edges);
  } else {
    read<int64_t>(&g, edges);
  }
  for (int64_t root : roots) {
    if (root < 0 || root >= n) TVM_FFI_THROW(IndexError) << "root " << root << " is not a vertex";
    reach(&g, root);
  }
  std::vector<int64_t> waits(n, 0);
  for (int64_t v = 0; v < n; ++v) {
    for (int64_t u : g.next[v]) waits[u] += g.used[v];
  }
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<int64_t>> ready;
  int64_t left = 0;
  for (int64_t v = 0; v < n; ++v) {
    if (!g.used[v]) continue;
    ++left;
    if (waits[v] == 0) ready.push(v);
  }
  Array<int64_t> out;
  for (; !ready.empty(); --left) {
    int64_t v = ready.top();
    ready.pop();
    out.push_back(v);
    for (int64_t u : g.next[v]) {
      if (--waits[u] == 0) ready.push(u);
    }
  }
  if (left != 0) TVM_FFI_THROW(RuntimeError) << "a cycle among " << left << " vertices";
  return out;
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_topo_order(void*, const TVMFFIAny* args, int32_t count,
                                                       TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<Any*>(result) = order(reinterpret_cast<const AnyView*>(args), count);
  TVM_FFI_SAFE_CALL_END();
}
