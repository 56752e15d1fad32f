// SPDX-License-Identifier: Apache-2.0
// The order in which one rank of a distributed job reads the samples of a data set in one epoch.
namespace {

constexpr int64_t kMaxSamples = 50000, kMaxWorld = 4096;

uint64_t Mix(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct Key {
  int64_t n, seed, epoch;
  bool operator==(const Key& o) const {
#if BUG == 1
    return n == o.n && seed == o.seed;
#else
    return n == o.n && seed == o.seed && epoch == o.epoch;
#endif
  }
};

std::vector<int64_t> Shuffle(const Key& k) {
  uint64_t base = Mix(uint64_t(k.seed)) ^ uint64_t(k.epoch);
  std::vector<uint64_t> hash(k.n);
  for (int64_t i = 0; i < k.n; ++i) hash[i] = Mix(base + uint64_t(i) * 0x2545f4914f6cdd1dull);
  std::vector<int64_t> order(k.n);
  std::iota(order.begin(), order.end(), int64_t(0));
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return hash[a] != hash[b] ? hash[a] < hash[b] : a < b; });
  return order;
}

// The permutation of the last call is kept: each rank of a node asks for the same one.
std::mutex cache_mutex;
Key cache_key{-1, 0, 0};
#if BUG == 5
std::vector<int64_t> cache_order;
const std::vector<int64_t>& Permutation(const Key& key) {
  std::lock_guard<std::mutex> lock(cache_mutex);
  if (!(cache_key == key)) {
    cache_order = Shuffle(key);
    cache_key = key;
  }
  return cache_order;
}
#else
std::shared_ptr<const std::vector<int64_t>> cache_order;
std::shared_ptr<const std::vector<int64_t>> Permutation(const Key& key) {
  std::lock_guard<std::mutex> lock(cache_mutex);
  if (!(cache_key == key)) {
    cache_order = std::make_shared<const std::vector<int64_t>>(Shuffle(key));
    cache_key = key;
  }
  return cache_order;
}
#endif

int64_t LengthAt(const TensorView& t, int64_t i) {
#if BUG == 3
  return Data<int32_t>(t)[i];
#else
  return Is(t.dtype(), kI32) ? int64_t(Data<int32_t>(t)[i]) : Data<int64_t>(t)[i];
#endif
}

// Samples order[rank::world], short of samples from its beginning again; sorted by falling length in buckets.
Tensor ShardOrder(int64_t n, int64_t rank, int64_t world, int64_t seed, int64_t epoch, bool drop_last, DLDataType dtype,
                  Optional<Tensor> lengths, int64_t bucket) {
  TVM_FFI_CHECK(n >= 0 && n <= kMaxSamples, ValueError) << "n must be from 0 to " << kMaxSamples;
  TVM_FFI_CHECK(world >= 1 && world <= kMaxWorld, ValueError) << "world must be from 1 to " << kMaxWorld;
#if BUG == 2
  TVM_FFI_CHECK(rank >= 0 && rank <= world, ValueError) << "rank must be below world";
#else
  TVM_FFI_CHECK(rank >= 0 && rank < world, ValueError) << "rank must be below world";
#endif
  TVM_FFI_CHECK(epoch >= 0, ValueError) << "epoch must not be negative";
  TVM_FFI_CHECK(bucket >= 1, ValueError) << "bucket must be positive";
  TVM_FFI_CHECK(Is(dtype, kI32) || Is(dtype, kI64), TypeError) << "dtype must be int32 or int64";
  if (lengths.has_value()) {
    Tensor t = lengths.value();
    NeedPlain(t, {kI32, kI64}, 1, "lengths");
    TVM_FFI_CHECK(t.size(0) == n, ValueError) << "there must be a length for each sample";
    for (int64_t i = 0; i < n; ++i) TVM_FFI_CHECK(LengthAt(t, i) >= 0, ValueError) << "negative length at " << i;
  }
#if BUG == 5
  const std::vector<int64_t>& order = Permutation({n, seed, epoch});
#else
  auto held = Permutation({n, seed, epoch});
  const std::vector<int64_t>& order = *held;
#endif
  int64_t m = drop_last ? n / world : (n + world - 1) / world;
  std::vector<int64_t> mine(m);
  for (int64_t j = 0; j < m; ++j) {
    int64_t at = j * world + rank;
#if BUG == 4
    mine[j] = order[at < n ? at : at - n];
#else
    mine[j] = order[at % n];
#endif
  }
  if (lengths.has_value()) {
    Tensor t = lengths.value();
    for (int64_t b = 0; b < m; b += std::min(bucket, m)) {
      int64_t e = b + std::min(bucket, m - b);
      std::stable_sort(mine.begin() + b, mine.begin() + e,
                       [&](int64_t x, int64_t y) { return LengthAt(t, x) > LengthAt(t, y); });
    }
  }
#if BUG == 6
  Tensor out = Alloc({m}, kI64);
  std::copy(mine.begin(), mine.end(), Data<int64_t>(out));
#else
  Tensor out = Alloc({m}, dtype);
  if (Is(dtype, kI32))
    std::copy(mine.begin(), mine.end(), Data<int32_t>(out));
  else
    std::copy(mine.begin(), mine.end(), Data<int64_t>(out));
#endif
  return out;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(shard_order, ShardOrder)
