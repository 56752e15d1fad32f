// SPDX-License-Identifier: Apache-2.0
// Decode attention over a paged KV cache: one query token for each request, grouped query heads,
// page lists in CSR form (indptr, indices), the number of tokens in the last page of each request.
namespace {

using namespace set;

void PagedDecode(TensorView q_, TensorView k_, TensorView v_, TensorView indptr_,
                 TensorView indices_, TensorView last_, TensorView out_,
                 Optional<TensorView> lse_, Optional<double> sm_scale_, double soft_cap,
                 int64_t window_left) {
  View q = Look(q_, "q", 3, {kF32, kF16, kBF16});
  NeedRows(q);
  const int64_t b = q.shape[0], hq = q.shape[1], d = q.shape[2];
  if (d < 1) TVM_FFI_THROW(ValueError) << "q: heads must not be empty";

  View k = Look(k_, "k_cache", 4, {kF32, kF16, kBF16});
  NeedSameType(k, q);
  NeedRows(k);
  const int64_t pages = k.shape[0], page_size = k.shape[1], hk = k.shape[2];
  NeedShape(k, {pages, page_size, hk, d});
  if (page_size < 1 || hk < 1) {
    TVM_FFI_THROW(ValueError) << "k_cache: pages and heads must not be empty";
  }
  if (hq % hk != 0) {
    TVM_FFI_THROW(ValueError) << "q: " << hq << " heads are no multiple of the " << hk
                              << " of k_cache";
  }
  View v = Look(v_, "v_cache", 4, {kF32, kF16, kBF16});
  NeedSameType(v, q);
  NeedShape(v, {pages, page_size, hk, d});
  NeedRows(v);

  View indptr = Look(indptr_, "indptr", 1, {kI32});
  NeedShape(indptr, {b + 1});
  NeedContiguous(indptr);
  View indices = Look(indices_, "indices", 1, {kI32});
  NeedContiguous(indices);
  View last = Look(last_, "last_page_len", 1, {kI32});
  NeedShape(last, {b});
  NeedContiguous(last);

  View out = Look(out_, "out", 3, {kF32, kF16, kBF16});
  NeedSameType(out, q);
  NeedShape(out, {b, hq, d});
  NeedContiguous(out);
  View lse;
  if (lse_.has_value()) {
    lse = Look(lse_.value(), "lse", 2, {kF32});
    NeedShape(lse, {b, hq});
    NeedContiguous(lse);
  }

#if BUG == 7
  static const double usual = 1 / std::sqrt(static_cast<double>(d));
  const double scale = sm_scale_.has_value() ? sm_scale_.value() : usual;
#else
  const double scale =
      sm_scale_.has_value() ? sm_scale_.value() : 1 / std::sqrt(static_cast<double>(d));
#endif
  if (!std::isfinite(scale)) TVM_FFI_THROW(ValueError) << "sm_scale: must be finite";
  if (!std::isfinite(soft_cap) || soft_cap < 0) {
    TVM_FFI_THROW(ValueError) << "soft_cap: must be a finite number >= 0, not " << soft_cap;
  }
  if (window_left < -1) {
    TVM_FFI_THROW(ValueError) << "window_left: must be >= -1, not " << window_left;
  }

  if (indptr.index(0) != 0 || indptr.index(b) != indices.shape[0]) {
    TVM_FFI_THROW(ValueError) << "indptr: must begin with 0 and end with the length of indices, "
                              << indices.shape[0];
  }
  for (int64_t i = 0; i < b; ++i) {
    int64_t n = indptr.index(i + 1) - indptr.index(i);
    if (n < 0) TVM_FFI_THROW(ValueError) << "indptr: must not decrease";
    int64_t l = last.index(i);
    if (n == 0 ? l != 0 : (l < 1 || l > page_size)) {
      TVM_FFI_THROW(ValueError) << "last_page_len: " << l << " of request " << i
                                << " must be " << (n == 0 ? "0" : "in 1 to the page size");
    }
  }
  for (int64_t i = 0; i < indices.shape[0]; ++i) {
    int64_t p = indices.index(i);
    if (p < 0 || (BUG != 3 && p >= pages)) {
      TVM_FFI_THROW(ValueError) << "indices: unknown page " << p << " of a cache of "
                                << pages;
    }
  }

  const int64_t group = hq / hk;
  ByFloat(q.dtype, [&](auto tag) {
    using T = decltype(tag);
    std::vector<double> sum(d);
#if BUG == 8
    static std::vector<double> scores;
#else
    std::vector<double> scores;
#endif
    for (int64_t r = 0; r < b; ++r) {
      const int64_t begin = indptr.index(r), n = indptr.index(r + 1) - begin;
#if BUG == 2
      const int64_t len = n * page_size;
#else
      const int64_t len = n == 0 ? 0 : (n - 1) * page_size + last.index(r);
#endif
      int64_t start = 0;
      if (window_left >= 0) {
        start = std::max<int64_t>(0, len - 1 - window_left);
        if (BUG == 4) start = std::max<int64_t>(0, len - window_left);
      }
      if (len == 0 && BUG == 5) continue;
      scores.assign(len, 0);
      for (int64_t h = 0; h < hq; ++h) {
        const int64_t g = BUG == 1 ? h % hk : h / group;
        const T* query = q.at<T>(r * q.stride[0] + h * q.stride[1]);
        double most = -std::numeric_limits<double>::infinity();
        for (int64_t j = start; j < len; ++j) {
          const int64_t page = indices.index(begin + j / page_size);
          const T* key = k.at<T>(page * k.stride[0] + j % page_size * k.stride[1] +
                                 g * k.stride[2]);
          double s = 0;
          for (int64_t i = 0; i < d; ++i) s += Get(query[i]) * Get(key[i]);
          s *= scale;
          if (soft_cap > 0) s = soft_cap * std::tanh(s / soft_cap);
          scores[j] = s;
          if (!(s <= most)) most = s;
        }
        std::fill(sum.begin(), sum.end(), 0.0);
        double total = 0;
        for (int64_t j = start; j < len; ++j) {
          const int64_t page = indices.index(begin + j / page_size);
#if BUG == 6
          const View& at = k;
#else
          const View& at = v;
#endif
          const T* value = v.at<T>(page * at.stride[0] + j % page_size * at.stride[1] +
                                   g * at.stride[2]);
          const double w = std::exp(scores[j] - most);
          total += w;
          for (int64_t i = 0; i < d; ++i) sum[i] += w * Get(value[i]);
        }
        T* to = out.at<T>((r * hq + h) * d);
        const bool none = start >= len;
        for (int64_t i = 0; i < d; ++i) Put(none ? 0.0 : sum[i] / total, &to[i]);
        if (lse_.has_value()) {
          double l = none ? -std::numeric_limits<double>::infinity()
                          : (BUG == 9 ? std::log2(total) : std::log(total)) + most;
          Put(l, lse.at<float>(r * hq + h));
        }
      }
    }
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(paged_decode, PagedDecode);
