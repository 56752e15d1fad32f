// SPDX-License-Identifier: Apache-2.0
// Distances in edges from one vertex of a graph in compressed rows.
namespace {

// A queue for each thread, kept from call to call.
std::vector<int32_t>& workspace() {
  thread_local std::vector<int32_t> queue;
  return queue;
}

void bfs(DLTensor* indptr, DLTensor* indices, int64_t source, tvm::ffi::Optional<int64_t> max_depth,
         DLTensor* distance, tvm::ffi::Optional<tvm::ffi::Tensor> parent) {
  const int32_t* ptr = kit::elements<int32_t>(indptr, "indptr", 1);
  const int32_t* adj = kit::elements<int32_t>(indices, "indices", 1);
  int32_t* dist = kit::elements<int32_t>(distance, "distance", 1);
  if (indptr->shape[0] < 1) TVM_FFI_THROW(ValueError) << "indptr is empty";
  const int64_t n = indptr->shape[0] - 1, m = indices->shape[0];
  if (distance->shape[0] != n) TVM_FFI_THROW(ValueError) << "distance: " << n << " elements needed";
  int32_t* up = nullptr;
  if (parent.has_value()) {
    tvm::ffi::Tensor given = parent.value();
    kit::TensorView view(given);
    up = kit::elements<int32_t>(view, "parent", 1);
    if (view.size(0) != n) TVM_FFI_THROW(ValueError) << "parent: " << n << " elements needed";
  }
  if (source < 0 || source >= n) TVM_FFI_THROW(IndexError) << "source is not a vertex: " << source;
  if (max_depth.has_value() && max_depth.value() < 0) {
    TVM_FFI_THROW(ValueError) << "max_depth is negative";
  }
  if (ptr[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0";
  if (ptr[n] != m) TVM_FFI_THROW(ValueError) << "indptr must end with the number of edges";
  for (int64_t v = 0; v < n; ++v) {
    if (ptr[v] > ptr[v + 1]) TVM_FFI_THROW(ValueError) << "indptr falls at " << v;
  }
  for (int64_t e = 0; e < m; ++e) {
    if (adj[e] < 0 || adj[e] >= n) {
      TVM_FFI_THROW(IndexError) << "indices[" << e << "] is not a vertex: " << adj[e];
    }
  }
  std::vector<int32_t>& queue = workspace();
  queue.clear();
  queue.reserve(n);
  std::fill(dist, dist + n, -1);
  if (up) std::fill(up, up + n, -1);
  dist[source] = 0;
  queue.push_back(int32_t(source));
  for (size_t head = 0; head < queue.size(); ++head) {
    int32_t v = queue[head];
    if (max_depth.has_value() && dist[v] >= max_depth.value()) break;
    for (int32_t e = ptr[v]; e < ptr[v + 1]; ++e) {
      if (dist[adj[e]] >= 0) continue;
      dist[adj[e]] = dist[v] + 1;
      if (up) up[adj[e]] = v;
      queue.push_back(adj[e]);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bfs, bfs);
