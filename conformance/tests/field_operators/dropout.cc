// SPDX-License-Identifier: Apache-2.0
// dropout(x, p, rng, num_threads, out) -> mask: out is x / (1 - p) where the mask is 1, else 0. Each
// element is dropped with the probability p. rng is the seed and the offset of a Philox4x32-10 stream,
// of which each block gives four elements; the offset goes on by the number of blocks, whatever p is.
// The outcome does not depend on the number of threads. out may be x itself.
namespace {

using namespace kit;

struct Block {
  uint32_t lane[4];
};

Block philox(uint64_t seed, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32);
  uint32_t c2 = 0, c3 = 0;
  uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
  if (BUG == 1) k1 = 0;
  if (BUG == 6) c1 = 0;
  for (int round = 0; round < 10; ++round) {
    uint64_t a = static_cast<uint64_t>(0xD2511F53u) * c0;
    uint64_t b = static_cast<uint64_t>(0xCD9E8D57u) * c2;
    uint32_t n0 = static_cast<uint32_t>(b >> 32) ^ c1 ^ k0;
    uint32_t n2 = static_cast<uint32_t>(a >> 32) ^ c3 ^ k1;
    c1 = static_cast<uint32_t>(b);
    c3 = static_cast<uint32_t>(a);
    c0 = n0;
    c2 = n2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return Block{{c0, c1, c2, c3}};
}

template <typename T>
void run(const View& x, const View& out, uint8_t* mask, double p, uint64_t seed, uint64_t offset,
         int64_t threads) {
  double scale = 1 / (1 - p);
  in_parallel(threads, x.numel(), BUG == 3 ? 1 : 4, [&](int64_t, int64_t begin, int64_t end) {
    Block block{};
    for (int64_t i = begin; i < end; ++i) {
      int64_t lane = BUG == 3 ? (i - begin) % 4 : i % 4;
      if (lane == 0) block = philox(seed, offset + static_cast<uint64_t>(i / 4));
      // 24 bits: the same numbers as floats of 32 bits, from 0 to less than 1.
      double u = static_cast<double>(block.lane[lane] >> 8) * (1.0 / 16777216.0);
      bool keep = u >= p;
      double v = load(x.as<T>()[i]);
#if BUG == 5
      store(out.as<T>() + i, v * (static_cast<double>(keep) * scale));
#else
      store(out.as<T>() + i, keep ? v * scale : 0.0);
#endif
      mask[i] = keep ? 1 : 0;
    }
  });
}

Tensor dropout(TensorView x_arg, double p, TensorView rng_arg, int64_t num_threads,
               TensorView out_arg) {
  View x = view_of(x_arg, "x", 0, kMaxRank);
  need_type(x, {kF32, kF16, kF64});
  need_dense(x);
  View rng = view(rng_arg, "rng", 1);
  need_type(rng, {kI64});
  need_extent(rng, 0, 2, "a seed and an offset");
  need_dense(rng);
  int64_t* state = rng.as<int64_t>();
  uint64_t seed = static_cast<uint64_t>(state[0]), offset = static_cast<uint64_t>(state[1]);
  uint64_t blocks = (static_cast<uint64_t>(x.numel()) + (BUG == 7 ? 0 : 3)) / 4;
#if BUG == 4
  state[1] = static_cast<int64_t>(offset + blocks);
#endif
  View out = view_of(out_arg, "out", 0, kMaxRank);
  need_same_type(out, x);
  need_shape(out, x);
  need_dense(out);
  if (overlap(out, x) && out.data != x.data) {
    TVM_FFI_THROW(ValueError) << "out must be x itself or not overlap it";
  }
  if (overlap(rng, x) || overlap(rng, out)) {
    TVM_FFI_THROW(ValueError) << "rng must not overlap x or out";
  }
  if (!(p >= 0 && p <= 1)) {
    TVM_FFI_THROW(ValueError) << "p must be from 0 to 1, and is " << p;
  }
  if (num_threads < 1 || num_threads > 64) {
    TVM_FFI_THROW(ValueError) << "num_threads must be from 1 to 64, and is " << num_threads;
  }
  std::vector<int64_t> shape(x.shape, x.shape + x.rank);
  Tensor mask = allocate(shape, kU8, x.device);
  if (same_type(x.dtype, kF16)) {
    run<Half>(x, out, data_of<uint8_t>(mask), p, seed, offset, num_threads);
  } else if (same_type(x.dtype, kF32)) {
    run<float>(x, out, data_of<uint8_t>(mask), p, seed, offset, num_threads);
  } else {
    run<double>(x, out, data_of<uint8_t>(mask), p, seed, offset, num_threads);
  }
  if (BUG != 4 && !(BUG == 2 && p == 0)) state[1] = static_cast<int64_t>(offset + blocks);
  return mask;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dropout, dropout);
