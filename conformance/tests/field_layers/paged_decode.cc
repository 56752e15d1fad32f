// SPDX-License-Identifier: Apache-2.0
// Attention of one query for each sequence on keys and values in pages (decoding), with grouped
// heads, a sliding window, soft capped logits and the log-sum-exp of each head if wanted.
namespace {

using namespace set;

struct Options {
  double scale, soft_cap;
  int64_t window;  // -1: all
  bool nhd;        // pages are (place, head, d), not (head, place, d)
};

// A page table in CSR form.
struct Table {
  const int32_t *indptr, *pages, *last;
};

template <typename T>
void Attend(const Arg& q, const Arg& keys, const Arg& values, const Table& table, const Options& o,
            const Arg& out, const Arg* lse, int64_t begin, int64_t end) {
  const int64_t heads = q.size(1), d = q.size(2);
  const int64_t page_size = keys.size(o.nhd ? 1 : 2), kv_heads = keys.size(o.nhd ? 2 : 1);
  const int64_t key_place = keys.stride(o.nhd ? 1 : 2), key_head = keys.stride(o.nhd ? 2 : 1);
#if BUG == 3
  const int64_t value_place = values.stride(1), value_head = values.stride(2);
#else
  const int64_t value_place = values.stride(o.nhd ? 1 : 2);
  const int64_t value_head = values.stride(o.nhd ? 2 : 1);
#endif
#if BUG == 8
  static thread_local std::vector<double> sum(d);  // allocated once for each thread
#else
  std::vector<double> sum(d);
#endif
  std::vector<double> logits;
  for (int64_t item = begin; item < end; ++item) {
    const int64_t b = item / heads, head = item % heads;
#if BUG == 2
    const int64_t kv_head = head % kv_heads;
#else
    const int64_t kv_head = head / (heads / kv_heads);
#endif
    const int64_t count = table.indptr[b + 1] - table.indptr[b];
    const int32_t* pages = table.pages + table.indptr[b];
#if BUG == 1
    const int64_t length = count <= 1 ? count * page_size
                                      : (count - 1) * page_size + table.last[b];
#else
    const int64_t length = count == 0 ? 0 : (count - 1) * page_size + table.last[b];
#endif
#if BUG == 6
    const int64_t first = o.window < 0 ? 0 : std::max<int64_t>(0, length - 1 - o.window);
#else
    const int64_t first = o.window < 0 ? 0 : std::max<int64_t>(0, length - o.window);
#endif
    T* to = out.as<T>() + b * out.stride(0) + head * out.stride(1);
    if (length == 0) {
#if BUG != 4
      std::fill(to, to + d, Make<T>::From(0.0));
#endif
      if (lse != nullptr) {
        lse->as<float>()[b * heads + head] = -std::numeric_limits<float>::infinity();
      }
      continue;
    }
    const T* query = q.as<T>() + b * q.stride(0) + head * q.stride(1);
    logits.assign(length - first, 0.0);
    double most = -std::numeric_limits<double>::infinity();
    for (int64_t t = first; t < length; ++t) {
      const T* key = keys.as<T>() + pages[t / page_size] * keys.stride(0) +
                     t % page_size * key_place + kv_head * key_head;
      double logit = 0;
      for (int64_t j = 0; j < d; ++j) logit += Get(query[j]) * Get(key[j]);
#if BUG == 7
      if (o.soft_cap > 0) logit = o.soft_cap * std::tanh(logit / o.soft_cap);
      logit *= o.scale;
#else
      logit *= o.scale;
      if (o.soft_cap > 0) logit = o.soft_cap * std::tanh(logit / o.soft_cap);
#endif
      logits[t - first] = logit;
      most = std::max(most, logit);
    }
    std::fill(sum.begin(), sum.end(), 0.0);
    double powers = 0;
    for (int64_t t = first; t < length; ++t) {
      const double power = std::exp(logits[t - first] - most);
      const T* value = values.as<T>() + pages[t / page_size] * values.stride(0) +
                       t % page_size * value_place + kv_head * value_head;
      for (int64_t j = 0; j < d; ++j) sum[j] += power * Get(value[j]);
      powers += power;
    }
    for (int64_t j = 0; j < d; ++j) to[j] = Make<T>::From(sum[j] / powers);
    if (lse != nullptr) {
      lse->as<float>()[b * heads + head] = static_cast<float>(most + std::log(powers));
    }
  }
}

void CheckTable(const Table& table, int64_t batch, int64_t entries, int64_t pages,
                int64_t page_size) {
  if (table.indptr[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0";
  for (int64_t b = 0; b < batch; ++b) {
    if (table.indptr[b + 1] < table.indptr[b]) {
      TVM_FFI_THROW(ValueError) << "indptr must not decrease, as after " << b;
    }
    if (table.last[b] < 1 || table.last[b] > page_size) {
      TVM_FFI_THROW(ValueError) << "last_page_len must be from 1 to the page size, " << page_size
                                << ", not " << table.last[b];
    }
  }
  if (table.indptr[batch] != entries) {
    TVM_FFI_THROW(ValueError) << "indptr must end with the number of page_indices, " << entries;
  }
  for (int64_t i = 0; i < entries; ++i) {
#if BUG == 5
    const bool outside = table.pages[i] >= pages;
#else
    const bool outside = table.pages[i] < 0 || table.pages[i] >= pages;
#endif
    if (outside) {
      TVM_FFI_THROW(IndexError) << "page_indices[" << i << "] is " << table.pages[i]
                                << ", and there are " << pages << " pages";
    }
  }
}

void PagedDecode(DLTensor* q_arg, DLTensor* k_arg, DLTensor* v_arg, DLTensor* indptr_arg,
                 DLTensor* pages_arg, DLTensor* last_arg, ffi::String kv_layout,
                 ffi::Optional<double> sm_scale, double soft_cap, int64_t window,
                 DLTensor* out_arg, ffi::Optional<ffi::Tensor> lse_arg) {
  const auto types = {Type::kF32, Type::kF16};
  const Arg q(q_arg, "q", types, 3);
  const Arg keys(k_arg, "k_cache", types, 4);
  const Arg values(v_arg, "v_cache", types, 4);
  const Arg indptr(indptr_arg, "indptr", {Type::kI32}, 1);
  const Arg indices(pages_arg, "page_indices", {Type::kI32}, 1);
  const Arg last(last_arg, "last_page_len", {Type::kI32}, 1);
  const Arg out(out_arg, "out", types, 3);
  if (kv_layout != "NHD" && kv_layout != "HND") {
    TVM_FFI_THROW(ValueError) << "kv_layout must be NHD or HND, not \"" << std::string(kv_layout)
                              << "\"";
  }
  Options o{1, soft_cap, window, kv_layout == "NHD"};
  keys.SameType(q);
  values.SameType(q);
  values.SameShape(keys);
  out.SameType(q);
  out.SameShape(q);
  const int64_t batch = q.size(0), heads = q.size(1), d = q.size(2);
  keys.Extent(3, d, "the last extent of q");
  const int64_t page_size = keys.size(o.nhd ? 1 : 2), kv_heads = keys.size(o.nhd ? 2 : 1);
  if (d == 0 || page_size == 0) {
    TVM_FFI_THROW(ValueError) << "k_cache must have places and elements in its pages";
  }
  if (kv_heads == 0 || heads % kv_heads != 0) {
    TVM_FFI_THROW(ValueError) << "q must have a multiple of the " << kv_heads
                              << " heads of k_cache, not " << heads;
  }
  indptr.Extent(0, batch + 1, "one more than the batch");
  last.Extent(0, batch, "the batch");
  std::vector<Arg> optional;
  const Arg* lse = nullptr;
  ffi::Optional<ffi::Tensor> held = lse_arg;
  if (held.has_value()) {
    optional.emplace_back(Pointer(held.value()), "lse", std::initializer_list<Type>{Type::kF32}, 2);
    lse = &optional[0];
    lse->Extent(0, batch, "the batch");
    lse->Extent(1, heads, "the heads of q");
  }
  o.scale = sm_scale.has_value() ? sm_scale.value() : 1 / std::sqrt(static_cast<double>(d));
  Finite(o.scale, "sm_scale");
  Finite(soft_cap, "soft_cap");
  if (soft_cap < 0) TVM_FFI_THROW(ValueError) << "soft_cap must not be negative (0: none)";
  if (window != -1 && window < 1) {
    TVM_FFI_THROW(ValueError) << "window must be positive, or -1 for none, not " << window;
  }
  const Table table{indptr.as<int32_t>(), indices.as<int32_t>(), last.as<int32_t>()};
  CheckTable(table, batch, indices.size(0), keys.size(0), page_size);

  const int64_t work = indices.size(0) * page_size * heads * d;
  const int64_t machine = std::max<int64_t>(1, std::thread::hardware_concurrency());
  const int64_t threads = work > 50000 ? std::min<int64_t>(machine, 16) : 1;
  WithFloat(q.type(), [&](auto tag) {
    using T = decltype(tag);
    ParallelFor(batch * heads, threads, [&](int64_t begin, int64_t end, int) {
      Attend<T>(q, keys, values, table, o, out, lse, begin, end);
    });
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_decode, PagedDecode);
