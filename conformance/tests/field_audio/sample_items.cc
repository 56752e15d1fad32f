// SPDX-License-Identifier: Apache-2.0
// sample_items: weighted sampling of items without replacement, such as negatives for training.
//
//   weights    [n]              float32 or float64, finite, 0 or more; 0 is never drawn
//   k          1 to n           items for each row
//   seed       int              any; equal seeds draw the same, on every machine
//   first_row  0 to 2^32        number of the first row: shards of a batch draw as the whole
//   exclude    [b, m] or None   int64, items that a row must not get; -1 is none
//   out        [b, k]           int64, in the order of the draws
//
// Row r draws the items with the largest keys log(u) / weight, the lower index first of equal keys,
// where u = ((x >> 11) + 0.5) / 2^53, x = mix(s + (i + 1) * G), s = mix(seed + (r + 1) * G) for
// item i, G = 0x9e3779b97f4a7c15, and mix is the finalizer of splitmix64. A call is refused, and
// nothing is written, if a row has less than k items to draw from.
namespace {

void SampleItems(DLTensor* weights_tensor, int64_t k, int64_t seed, int64_t first_row,
                 Optional<Tensor> exclude_tensor, DLTensor* out_tensor) {
  const Arg weights("weights", weights_tensor);
  const Arg out("out", out_tensor);
  weights.Type({kF32, kF64}).Rank(1).Cpu().Contiguous();
  const int64_t n = weights.dim(0);
  if (k < 1 || k > n) TVM_FFI_THROW(ValueError) << "k must be from 1 to " << n << ", not " << k;
  if (first_row < 0 || first_row > (int64_t{1} << 32)) {
    TVM_FFI_THROW(ValueError) << "first_row must be from 0 to 2^32, not " << first_row;
  }
  out.Type({kI64}).Rank(2).Extent(1, k).Cpu().Contiguous();
  const int64_t batch = out.dim(0);
  const int64_t* exclude = nullptr;
  int64_t m = 0;
  if (exclude_tensor.has_value()) {
    const Arg e("exclude", exclude_tensor.value());
    e.Type({kI64}).Rank(2).Extent(0, batch).Cpu().Contiguous();
    if (e.Overlaps(out)) TVM_FFI_THROW(ValueError) << "out must not overlap exclude";
    exclude = e.data<int64_t>();
    m = e.dim(1);
    for (int64_t i = 0; i < batch * m; ++i) {
#if BUG == 3
      if (exclude[i] < -1) {
#else
      if (exclude[i] < -1 || exclude[i] >= n) {
#endif
        TVM_FFI_THROW(IndexError) << "exclude must be from -1 to " << n - 1 << ", not "
                                  << exclude[i];
      }
    }
  }
  std::vector<double> w(n);
  for (int64_t i = 0; i < n; ++i) {
    w[i] = weights.Is(kF32) ? weights.data<float>()[i] : weights.data<double>()[i];
    if (!std::isfinite(w[i]) || w[i] < 0) {
      TVM_FFI_THROW(ValueError) << "weights must be finite and not negative";
    }
  }

#if BUG == 1
  static std::atomic<uint64_t> calls{0};
  const uint64_t base = seed == 0 ? Mix64(++calls) : static_cast<uint64_t>(seed);
#elif BUG == 7
  const uint64_t base = static_cast<uint64_t>(static_cast<int32_t>(seed));
#else
  const uint64_t base = static_cast<uint64_t>(seed);
#endif
  std::vector<char> taken(n);
  std::vector<std::pair<double, int64_t>> keys;
  keys.reserve(n);
#if BUG == 5
  int64_t* draws = out.data<int64_t>();
#else
  std::vector<int64_t> draws(batch * k);
#endif
  for (int64_t r = 0; r < batch; ++r) {
#if BUG != 4
    std::fill(taken.begin(), taken.end(), 0);
#endif
    for (int64_t j = 0; j < m; ++j) {
      const int64_t item = exclude[r * m + j];
#if BUG == 6
      if (item < 0) break;  // the padding begins
#else
      if (item < 0) continue;
#endif
      taken[item] = 1;
    }
#if BUG == 8
    const uint64_t row = static_cast<uint64_t>(r);
#else
    const uint64_t row = static_cast<uint64_t>(first_row + r);
#endif
    const uint64_t s = Mix64(base + (row + 1) * kGolden);
    keys.clear();
    for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
      if (taken[i] != 0) continue;
#else
      if (taken[i] != 0 || w[i] == 0) continue;
#endif
      const uint64_t x = Mix64(s + static_cast<uint64_t>(i + 1) * kGolden);
      const double u = (static_cast<double>(x >> 11) + 0.5) * 0x1p-53;
      keys.emplace_back(std::log(u) / w[i], i);
    }
    if (static_cast<int64_t>(keys.size()) < k) {
      TVM_FFI_THROW(ValueError) << "row " << r << " has only " << keys.size()
                                << " items to draw from, k is " << k;
    }
    std::partial_sort(keys.begin(), keys.begin() + k, keys.end(),
                      [](const std::pair<double, int64_t>& a, const std::pair<double, int64_t>& b) {
                        return a.first != b.first ? a.first > b.first : a.second < b.second;
                      });
    for (int64_t j = 0; j < k; ++j) draws[r * k + j] = keys[j].second;
  }
#if BUG != 5
  std::copy(draws.begin(), draws.end(), out.data<int64_t>());
#endif
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample_items, SampleItems);
