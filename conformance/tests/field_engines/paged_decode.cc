// SPDX-License-Identifier: Apache-2.0
// Attention of one new token of each request over its keys and values in a paged cache (decode):
// grouped heads, a sliding window, a soft cap of the scores, log-sum-exp for merging states.
namespace {
using namespace set;

struct Problem {
  View q, k_cache, v_cache, out, lse;
  bool has_lse;
  std::vector<int64_t> lengths;
  std::vector<std::vector<int64_t>> pages;
  int64_t group, page_size, window_left;
  double scale, soft_cap;
};

template <typename T>
void Row(const Problem& p, int64_t request, int64_t head, std::vector<double>& scores,
         std::vector<double>& values) {
  int64_t dim = p.q.shape[2], length = p.lengths[request];
  int64_t kv_head = BUG == 2 ? head % p.k_cache.shape[2] : head / p.group;
  const char* q = p.q.at(request, head);
  char* out = p.out.at(request, head);
  int64_t first = 0;
  if (p.window_left >= 0) {
    first = std::max<int64_t>(0, length - p.window_left - (BUG == 3 ? 0 : 1));
  }
  double top = -INFINITY;
  for (int64_t i = first; i < length; ++i) {
    const char* k = p.k_cache.at(p.pages[request][i / p.page_size], i % p.page_size, kv_head);
    double dot = 0;
    for (int64_t j = 0; j < dim; ++j) {
      dot += Get<T>(q + j * p.q.width) * Get<T>(k + j * p.k_cache.width);
    }
#if BUG == 4
    double score = p.soft_cap > 0 ? p.soft_cap * std::tanh(dot / p.soft_cap) * p.scale
                                  : dot * p.scale;
#else
    double score = dot * p.scale;
    if (p.soft_cap > 0) score = p.soft_cap * std::tanh(score / p.soft_cap);
#endif
    scores[i] = score;
    top = std::max(top, score);
  }
  double sum = 0;
  for (int64_t i = first; i < length; ++i) sum += scores[i] = std::exp(scores[i] - top);
  std::fill(values.begin(), values.end(), 0.0);
  for (int64_t i = first; i < length; ++i) {
    const char* v = p.v_cache.at(p.pages[request][i / p.page_size], i % p.page_size, kv_head);
    for (int64_t j = 0; j < dim; ++j) values[j] += scores[i] * Get<T>(v + j * p.v_cache.width);
  }
  bool nothing = BUG == 5 ? false : length == 0;
  for (int64_t j = 0; j < dim; ++j) {
    Put<T>(out + j * p.out.width, nothing ? 0 : values[j] / sum);
  }
  if (p.has_lse) {
    double lse = nothing ? -INFINITY : top + std::log(sum);
    PutRaw<float>(p.lse.at(request, head), static_cast<float>(BUG == 6 ? lse / std::log(2) : lse));
  }
}

struct Scratch {
  std::vector<double> scores, values;
};

template <typename T>
void Rows(const Problem& p) {
  int64_t heads = p.q.shape[1], rows = p.q.shape[0] * heads;
  int64_t longest = 0;
  for (int64_t length : p.lengths) longest = std::max(longest, length);
  // A thread is not worth its start for less than this.
  int64_t threads = std::min<int64_t>(std::min<int64_t>(4, rows), rows * longest / 64 + 1);
  if (rows == 0) return;
  // All memory is had before the first thread starts: none of them can fail.
#if BUG == 1
  static std::vector<Scratch> scratch;
  if (scratch.size() < static_cast<size_t>(threads)) scratch.resize(threads);
#else
  std::vector<Scratch> scratch(threads);
#endif
  for (Scratch& s : scratch) {
    s.scores.resize(longest);
    s.values.resize(p.q.shape[2]);
  }
  auto work = [&](int64_t thread) {
    Scratch& mine = scratch[thread];
    for (int64_t row = rows * thread / threads; row < rows * (thread + 1) / threads; ++row) {
      Row<T>(p, row / heads, row % heads, mine.scores, mine.values);
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(threads);
  int64_t started = 1;
  try {
    for (; started < threads; ++started) pool.emplace_back(work, started);
  } catch (const std::system_error&) {  // no more threads: the rest is done here
  }
  work(0);
  for (int64_t thread = started; thread < threads; ++thread) work(thread);
  for (std::thread& thread : pool) thread.join();
}

Tensor PagedDecode(DLTensor* q_, DLTensor* k_cache_, DLTensor* v_cache_, DLTensor* block_tables_,
                   DLTensor* seq_lens_, Optional<double> scale, int64_t window_left,
                   double soft_cap, Optional<Tensor> out_, Optional<Tensor> lse_) {
  auto types = {kFloat32, kFloat16, kBfloat16};
  Problem p;
  p.q = Check("q", q_, types, 3, kRows);
  p.k_cache = Check("k_cache", k_cache_, types, 4, kRows);
  p.v_cache = Check("v_cache", v_cache_, types, 4, kRows);
  View block_tables = Check("block_tables", block_tables_, {kInt32}, 2, kRows);
  View seq_lens = Check("seq_lens", seq_lens_, {kInt32}, 1);
  CheckType("k_cache", p.k_cache, p.q.dtype);
  CheckType("v_cache", p.v_cache, p.q.dtype);
  int64_t requests = p.q.shape[0], heads = p.q.shape[1], dim = p.q.shape[2];
  int64_t pages = p.k_cache.shape[0], kv_heads = p.k_cache.shape[2];
  p.page_size = p.k_cache.shape[1];
  for (int i = 0; i < 4; ++i) CheckExtent("v_cache", p.v_cache, i, p.k_cache.shape[i]);
  CheckExtent("k_cache", p.k_cache, 3, dim);
  CheckExtent("block_tables", block_tables, 0, requests);
  CheckExtent("seq_lens", seq_lens, 0, requests);
  if (dim < 1) TVM_FFI_THROW(ValueError) << "q must have heads of at least one element";
  if (p.page_size < 1) TVM_FFI_THROW(ValueError) << "k_cache must have pages of at least one token";
  if (kv_heads < 1 || heads < 1 || heads % kv_heads != 0) {
    TVM_FFI_THROW(ValueError) << "q must have a multiple of the " << kv_heads
                              << " heads of k_cache, not " << heads;
  }
  p.group = heads / kv_heads;
  p.scale = scale.has_value() ? scale.value() : 1 / std::sqrt(static_cast<double>(dim));
  if (!(p.scale > 0) || std::isinf(p.scale)) {
    TVM_FFI_THROW(ValueError) << "scale must be positive and finite, not " << p.scale;
  }
  if (window_left < -1) {
    TVM_FFI_THROW(ValueError) << "window_left must be -1 (none) or more, not " << window_left;
  }
  p.window_left = window_left;
  if (!(soft_cap >= 0) || std::isinf(soft_cap)) {
    TVM_FFI_THROW(ValueError) << "soft_cap must be 0 (none) or positive, not " << soft_cap;
  }
  p.soft_cap = soft_cap;

  p.pages.resize(requests);
  for (int64_t r = 0; r < requests; ++r) {
    int64_t length = GetRaw<int32_t>(seq_lens.at(r));
    if (length < 0 || (BUG != 7 && length > block_tables.shape[1] * p.page_size)) {
      TVM_FFI_THROW(ValueError) << "seq_lens has " << length << ", and block_tables pages for "
                                << block_tables.shape[1] * p.page_size << " tokens";
    }
    p.lengths.push_back(length);
    for (int64_t i = 0; i < (length + p.page_size - 1) / p.page_size; ++i) {
      int64_t page = GetRaw<int32_t>(block_tables.at(r, i));
      if (page < 0 || page >= pages) {
        TVM_FFI_THROW(ValueError) << "block_tables has page " << page << " of " << pages;
      }
      p.pages[r].push_back(page);
    }
  }

  p.has_lse = lse_.has_value();
  if (p.has_lse) {
    p.lse = Check("lse", lse_, {kFloat32}, 2);
    CheckExtent("lse", p.lse, 0, requests);
    CheckExtent("lse", p.lse, 1, heads);
  }
  Tensor out;
  if (out_.has_value()) {
    out = out_.value();
  } else {
    out = NewTensor({requests, heads, dim}, p.q.dtype);
  }
  p.out = Check("out", out.GetDLTensorPtr(), types, 3, kRows);
  CheckType("out", p.out, p.q.dtype);
  for (int i = 0; i < 3; ++i) CheckExtent("out", p.out, i, p.q.shape[i]);
  CheckApart("out", p.out);
#if BUG == 8
  p.out.strides = {heads * dim, dim, 1};
#endif
  ByFloatType(p.q.dtype, [&](auto element) { Rows<decltype(element)>(p); });
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_decode, PagedDecode);
