// SPDX-License-Identifier: Apache-2.0
// Plans how the keys of a batch are cut into tiles, and which worker takes each of them.
namespace {

using namespace set;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;
using ffi::Tuple;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t CountTiles(const int32_t* indptr, int64_t batch, int64_t chunk) {
  int64_t tiles = 0;
  for (int64_t i = 0; i < batch; ++i) {
    const int64_t own = CeilDiv(static_cast<int64_t>(indptr[i + 1]) - indptr[i], chunk);
    tiles += BUG == 2 ? own : std::max<int64_t>(own, 1);
  }
  return tiles;
}

// The smallest number of pages per tile with which max_tiles are enough.
int64_t FindPages(const int32_t* indptr, int64_t batch, int64_t page, int64_t max_tiles) {
  int64_t longest = 0;
  for (int64_t i = 0; i < batch; ++i) {
    longest = std::max(longest, static_cast<int64_t>(indptr[i + 1]) - indptr[i]);
  }
  int64_t low = 1;
  int64_t high = std::max<int64_t>(CeilDiv(longest, page), 1);
  while (low < high) {
    const int64_t middle = (low + high) / 2;
#if BUG == 1
    const bool enough = CountTiles(indptr, batch, middle * page) < max_tiles;
#else
    const bool enough = CountTiles(indptr, batch, middle * page) <= max_tiles;
#endif
    if (enough) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

Tuple<int64_t, Tensor, Tensor, Tensor, Tensor> PlanSplitKv(TensorView kv_indptr, int64_t page_size,
                                                            int64_t num_workers, int64_t max_tiles,
                                                            Optional<int64_t> chunk_size) {
  CheckKind(kv_indptr, "kv_indptr", 1, {kI32});
  CheckDense(kv_indptr, "kv_indptr");
  CheckData(kv_indptr, "kv_indptr");
  if (kv_indptr.size(0) < 1) TVM_FFI_THROW(ValueError) << "kv_indptr must not be empty";
  if (page_size < 1 || page_size > 65536) {
    TVM_FFI_THROW(ValueError) << "page_size must be from 1 to 65536, is " << page_size;
  }
  if (num_workers < 1 || num_workers > 4096) {
    TVM_FFI_THROW(ValueError) << "num_workers must be from 1 to 4096, is " << num_workers;
  }
  if (max_tiles < 1 || max_tiles > 65536) {
    TVM_FFI_THROW(ValueError) << "max_tiles must be from 1 to 65536, is " << max_tiles;
  }
  const int64_t batch = kv_indptr.size(0) - 1;
  const int32_t* indptr = Data<const int32_t>(kv_indptr);
  if (indptr[0] != 0) TVM_FFI_THROW(ValueError) << "kv_indptr must begin with 0";
  for (int64_t i = 0; BUG != 3 && i < batch; ++i) {
    if (indptr[i + 1] < indptr[i]) {
      TVM_FFI_THROW(ValueError) << "kv_indptr must not fall, but does at " << i + 1;
    }
  }
  if (BUG != 4 && batch > max_tiles) {
    TVM_FFI_THROW(ValueError) << "max_tiles must be at least the number of requests, " << batch;
  }
  int64_t chunk = 0;
  if (chunk_size.has_value()) {
    chunk = chunk_size.value();
    if (chunk < 1 || chunk > (int64_t{1} << 31) || (BUG != 7 && chunk % page_size != 0)) {
      TVM_FFI_THROW(ValueError) << "chunk_size must be a multiple of page_size and at most 2^31, "
                                << "is " << chunk;
    }
    if (CountTiles(indptr, batch, chunk) > max_tiles) {
      TVM_FFI_THROW(ValueError) << "chunk_size " << chunk << " needs more than max_tiles";
    }
  } else {
    chunk = page_size * FindPages(indptr, batch, page_size, max_tiles);
  }

  const int64_t tiles = CountTiles(indptr, batch, chunk);
  Tensor request = NewTensor({tiles}, kI32);
  Tensor begin = NewTensor({tiles}, kI32);
  Tensor worker = NewTensor({tiles}, kI32);
  Tensor merge = NewTensor({batch + 1}, kI32);
  int32_t* requests = static_cast<int32_t*>(request.data_ptr());
  int32_t* begins = static_cast<int32_t*>(begin.data_ptr());
  int32_t* workers = static_cast<int32_t*>(worker.data_ptr());
  int32_t* merges = static_cast<int32_t*>(merge.data_ptr());
#if BUG == 6
  // Kept, so that planning each step of a model allocates nothing.
  static std::vector<int64_t> sizes;
  static std::vector<int64_t> order;
#else
  std::vector<int64_t> sizes;
  std::vector<int64_t> order;
#endif
  sizes.assign(tiles, 0);
  order.assign(tiles, 0);
  int64_t t = 0;
  merges[0] = 0;
  for (int64_t i = 0; i < batch; ++i) {
    int64_t at = indptr[i];
    const int64_t own = CountTiles(indptr + i, 1, chunk);
    for (int64_t k = 0; k < own; ++k, ++t, at += chunk) {
      requests[t] = static_cast<int32_t>(i);
      begins[t] = static_cast<int32_t>(at);
      sizes[t] = std::min(chunk, indptr[i + 1] - at);
      order[t] = t;
    }
    merges[i + 1] = static_cast<int32_t>(t);
  }
  // The longest tiles go first, each to the worker with the least to do.
  auto longer = [&](int64_t a, int64_t b) { return sizes[a] > sizes[b]; };
  if (BUG == 5) {
    std::sort(order.begin(), order.end(), longer);
  } else {
    std::stable_sort(order.begin(), order.end(), longer);
  }
  using Load = std::pair<int64_t, int32_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<Load>> loads;
  for (int64_t w = 0; w < num_workers; ++w) loads.push({0, static_cast<int32_t>(w)});
  for (int64_t k = 0; k < tiles; ++k) {
    Load least = loads.top();
    loads.pop();
    workers[order[k]] = least.second;
    least.first += sizes[order[k]];
    loads.push(least);
  }
  return Tuple<int64_t, Tensor, Tensor, Tensor, Tensor>(chunk, request, begin, worker, merge);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan_split_kv, PlanSplitKv);
