// SPDX-License-Identifier: Apache-2.0
// Attention of one query token for each request over keys and values in pages.
//
// paged_decode(q, k_pages, v_pages, indptr, indices, last_page_len, layout, sm_scale, window,
//              logit_cap, out, lse)
//   q              float32, float16 or bfloat16 (b, hq, d)
//   k_pages        the same type (pages, page_size, hk, d) with layout "NHD",
//                  (pages, hk, page_size, d) with "HND"; v_pages alike; hk divides hq
//   indptr         int32 (b + 1): the pages of request i are indices[indptr[i]:indptr[i + 1]]
//   last_page_len  int32 (b): tokens in its last page; 0 of a request without pages
//   sm_scale       factor of the logits, above 0; None: 1 / sqrt(d)
//   window         how many of the last tokens are seen; None: all
//   logit_cap      0, or the logits are cap * tanh(logits / cap)
//   out            (b, hq, d), the type of q; 0 for a request without tokens
//   lse            float32 (b, hq) or None: natural log of the sum of exp(logits)
namespace {

using namespace set;

struct Pages {
  const void* data;
  int64_t page_step, token_step, head_step;
};

Pages Locate(const TensorView& t, bool hnd) {
  const ffi::ShapeView shape = t.shape();
  int64_t inner = shape[2] * shape[3];
  Pages p{Data(t), shape[1] * inner, inner, shape[3]};
  if (hnd) std::swap(p.token_step, p.head_step);
  return p;
}

void CheckOffsets(const TensorView& indptr, const TensorView& indices, const TensorView& last,
                  int64_t pages, int64_t page_size) {
  const int32_t* at = As<int32_t>(indptr);
  const int32_t* page = As<int32_t>(indices);
  const int32_t* rest = As<int32_t>(last);
  int64_t b = last.shape()[0], used = indices.shape()[0];
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0, not " << at[0];
  if (at[b] != used) {
    TVM_FFI_THROW(ValueError) << "indptr must end with the length of indices, " << used
                              << ", not " << at[b];
  }
  for (int64_t i = 0; i < b; ++i) {
    if (at[i + 1] < at[i]) {
      TVM_FFI_THROW(ValueError) << "indptr must not decrease, and does at " << i + 1;
    }
    bool none = at[i + 1] == at[i];
    if (rest[i] < (none ? 0 : 1) || rest[i] > (none ? 0 : page_size)) {
      TVM_FFI_THROW(ValueError) << "last_page_len must be 1 to " << page_size
                                << ", or 0 without pages, not " << rest[i] << " for request "
                                << i;
    }
  }
  for (int64_t i = 0; i < used; ++i) {
#if BUG == 5
    if (page[i] < 0) {
#else
    if (page[i] < 0 || page[i] >= pages) {
#endif
      TVM_FFI_THROW(ValueError) << "indices must be 0 to " << pages - 1 << ", not " << page[i]
                                << " at " << i;
    }
  }
}

void PagedDecode(TensorView q, TensorView k_pages, TensorView v_pages, TensorView indptr,
                 TensorView indices, TensorView last_page_len, String layout_name,
                 Optional<double> sm_scale, Optional<int64_t> window, double logit_cap,
                 TensorView out, Optional<Tensor> lse) {
  std::string layout = layout_name;
  if (layout != "NHD" && layout != "HND") {
    TVM_FFI_THROW(ValueError) << "layout must be \"NHD\" or \"HND\", not \"" << layout << "\"";
  }
  bool hnd = layout == "HND";
  Real kind = CheckReal("q", q);
  CheckBasics("q", q, 3);
  CheckCompact("q", q);
  int64_t b = q.shape()[0], hq = q.shape()[1], d = q.shape()[2];
  if (d < 1) TVM_FFI_THROW(ValueError) << "q must have a head size of 1 or more";
  CheckType("k_pages", k_pages, q.dtype());
  CheckBasics("k_pages", k_pages, 4);
  CheckCompact("k_pages", k_pages);
  CheckExtent("k_pages", k_pages, 3, d, "head size of q");
  CheckType("v_pages", v_pages, q.dtype());
  CheckBasics("v_pages", v_pages, 4);
  CheckCompact("v_pages", v_pages);
  for (int i = 0; i < 4; ++i) CheckExtent("v_pages", v_pages, i, k_pages.shape()[i], "as k_pages");
  int64_t pages = k_pages.shape()[0];
  int64_t page_size = k_pages.shape()[hnd ? 2 : 1], hk = k_pages.shape()[hnd ? 1 : 2];
  if (hk < 1 || hq % hk != 0) {
    TVM_FFI_THROW(ValueError) << "k_pages has " << hk << " heads, which do not divide the " << hq
                              << " of q";
  }
  if (page_size < 1) TVM_FFI_THROW(ValueError) << "k_pages must have pages of 1 token or more";
  for (const auto& named : {std::make_pair("indptr", &indptr), std::make_pair("indices", &indices),
                            std::make_pair("last_page_len", &last_page_len)}) {
    CheckType(named.first, *named.second, Type(kDLInt, 32));
    CheckBasics(named.first, *named.second, 1);
    CheckCompact(named.first, *named.second);
  }
  CheckExtent("last_page_len", last_page_len, 0, b, "requests of q");
  CheckExtent("indptr", indptr, 0, b + 1, "requests of q, and 1");
  double scale = 1 / std::sqrt(static_cast<double>(d));
  if (sm_scale.has_value()) {
    scale = sm_scale.value();
    if (!(scale > 0) || !std::isfinite(scale)) {
      TVM_FFI_THROW(ValueError) << "sm_scale must be finite and above 0, not " << scale;
    }
  }
  int64_t seen = std::numeric_limits<int64_t>::max();
  if (window.has_value()) {
    seen = window.value();
    if (seen < 1) TVM_FFI_THROW(ValueError) << "window must be at least 1, not " << seen;
  }
  if (!(logit_cap >= 0) || !std::isfinite(logit_cap)) {
    TVM_FFI_THROW(ValueError) << "logit_cap must be finite and not negative, not " << logit_cap;
  }
  CheckType("out", out, q.dtype());
  CheckBasics("out", out, 3);
  CheckExtent("out", out, 0, b, "requests of q");
  CheckExtent("out", out, 1, hq, "heads of q");
  CheckExtent("out", out, 2, d, "head size of q");
  CheckCompact("out", out);
  float* lse_out = nullptr;
  if (lse.has_value()) {
    TensorView view = View(lse.value());
    CheckType("lse", view, Type(kDLFloat, 32));
    CheckBasics("lse", view, 2);
    CheckExtent("lse", view, 0, b, "requests of q");
    CheckExtent("lse", view, 1, hq, "heads of q");
    CheckCompact("lse", view);
    lse_out = As<float>(view);
  }
  CheckOffsets(indptr, indices, last_page_len, pages, page_size);

  const int32_t* at = As<int32_t>(indptr);
  const int32_t* page = As<int32_t>(indices);
  const int32_t* rest = As<int32_t>(last_page_len);
  Pages keys = Locate(k_pages, hnd), values = Locate(v_pages, BUG == 3 ? false : hnd);
  const void* query = Data(q);
  void* result = Data(out);
  // Memory is had before anything is written.
  int64_t most = 0;
  for (int64_t i = 0; i < b; ++i) most = std::max<int64_t>(most, at[i + 1] - at[i]);
#if BUG == 7
  static std::vector<double> logits;
  static std::vector<double> sums;
  logits.resize(std::max<size_t>(logits.size(), most * page_size));
  sums.resize(std::max<size_t>(sums.size(), d));
#else
  std::vector<double> logits(most * page_size), sums(d);
#endif
  for (int64_t i = 0; i < b; ++i) {
    int64_t count = at[i + 1] - at[i];
    int64_t tokens = count == 0 ? 0 : (count - 1) * page_size + rest[i];
#if BUG == 1
    tokens = count * page_size;
#endif
    int64_t begin = tokens > seen ? tokens - seen : 0;
#if BUG == 4
    if (tokens == 0) continue;
#endif
    for (int64_t h = 0; h < hq; ++h) {
#if BUG == 6
      int64_t kv_head = h % hk;
#else
      int64_t kv_head = h / (hq / hk);
#endif
      int64_t base = (i * hq + h) * d;
      double greatest = -std::numeric_limits<double>::infinity();
      for (int64_t t = begin; t < tokens; ++t) {
        int64_t key = page[at[i] + t / page_size] * keys.page_step +
                      t % page_size * keys.token_step + kv_head * keys.head_step;
        double dot = 0;
        for (int64_t c = 0; c < d; ++c) {
          dot += static_cast<double>(Load(query, base + c, kind)) * Load(keys.data, key + c, kind);
        }
        double logit = dot * scale;
        if (logit_cap > 0) logit = logit_cap * std::tanh(logit / logit_cap);
        logits[t] = logit;
        greatest = std::max(greatest, logit);
      }
#if BUG == 2
      greatest = 0;
#endif
      double total = 0;
      std::fill(sums.begin(), sums.begin() + d, 0.0);
      for (int64_t t = begin; t < tokens; ++t) {
        double weight = std::exp(logits[t] - greatest);
        total += weight;
        int64_t value = page[at[i] + t / page_size] * values.page_step +
                        t % page_size * values.token_step + kv_head * values.head_step;
        for (int64_t c = 0; c < d; ++c) sums[c] += weight * Load(values.data, value + c, kind);
      }
      bool none = tokens == 0;
      for (int64_t c = 0; c < d; ++c) {
        Store(result, base + c, kind, none ? 0.0f : static_cast<float>(sums[c] / total));
      }
      if (lse_out != nullptr) {
        lse_out[i * hq + h] = none ? -std::numeric_limits<float>::infinity()
                                   : static_cast<float>(greatest + std::log(total));
      }
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_decode, PagedDecode);
