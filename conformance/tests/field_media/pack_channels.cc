// SPDX-License-Identifier: Apache-2.0
// NCHW -> NCHWc and back, as compilers lay out operands of vectorised convolutions. Elements are moved, whatever they are.
static constexpr int kMaxRank = 7;

static void CheckAny(const char* name, const TensorView& t) {
  CheckType(name, t, {kI8, kU8, kF16, kBF16, kF32, kF64});
}

struct Plan {
  int64_t n, q, b, c, inner;
  std::vector<int64_t> offsets;  // of each element of the spatial dimensions
};

// element offsets of the spatial dimensions [2, 2 + spatial)
static std::vector<int64_t> SpatialOffsets(const TensorView& x, int spatial) {
#if BUG == 5
  static thread_local std::map<std::vector<int64_t>, std::vector<int64_t>> plans;
  std::vector<int64_t> key(x.shape().begin(), x.shape().end());
  auto found = plans.find(key);
  if (found != plans.end()) return found->second;
#endif
  std::vector<int64_t> offsets{0};
  for (int d = 2; d < 2 + spatial; ++d) {
    int64_t size = x.size(d), stride = StrideOf(x, d);
#if BUG == 1
    if (d > 2 && x.strides()[1 + spatial] == 1) {
      stride = 1;
      for (int e = d + 1; e < 2 + spatial; ++e) stride *= x.size(e);
    }
#endif
    std::vector<int64_t> next;
    next.reserve(offsets.size() * size);
    for (int64_t o : offsets)
      for (int64_t i = 0; i < size; ++i) next.push_back(o + i * stride);
    offsets.swap(next);
  }
#if BUG == 5
  if (plans.size() < 64) plans[key] = offsets;
#endif
  return offsets;
}

template <typename E>
static void Pack(const E* x, int64_t sn, int64_t sc, const Plan& p, E* y) {
  ParallelFor(p.n * p.q, std::max<int64_t>(1, 16384 / (p.inner * p.b + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      int64_t n = t / p.q, q = t % p.q;
      E* to = y + t * p.inner * p.b;
      for (int64_t s = 0; s < p.inner; ++s)
        for (int64_t l = 0; l < p.b; ++l) {
          int64_t c = q * p.b + l;
#if BUG == 2
          if (c < p.c) to[s * p.b + l] = x[n * sn + c * sc + p.offsets[s]];
#else
          to[s * p.b + l] = c < p.c ? x[n * sn + c * sc + p.offsets[s]] : E(0);
#endif
        }
    }
  });
}

template <typename E>
static void Unpack(const E* x, int64_t sn, int64_t sq, int64_t sl, const Plan& p, E* y) {
  ParallelFor(p.n * p.c, std::max<int64_t>(1, 16384 / (p.inner + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      int64_t n = t / p.c, c = t % p.c;
      const E* from = x + n * sn + c / p.b * sq + c % p.b * sl;
      for (int64_t s = 0; s < p.inner; ++s) y[t * p.inner + s] = from[p.offsets[s]];
    }
  });
}

#define BY_SIZE(bits, CALL)                            \
  switch (bits) {                                      \
    case 8: { using E = uint8_t; CALL; break; }        \
    case 16: { using E = uint16_t; CALL; break; }      \
    case 32: { using E = uint32_t; CALL; break; }      \
    default: { using E = uint64_t; CALL; }             \
  }

Tensor pack_channels(TensorView x, int64_t block) {
  CheckAny("x", x);
  REQUIRE(x.ndim() >= 2 && x.ndim() <= kMaxRank, ValueError, "x: rank 2 to " << kMaxRank << " expected");
  REQUIRE(block >= 1 && block <= 64, ValueError, "block must be in [1, 64], got " << block);
  int spatial = x.ndim() - 2;
  Plan p{x.size(0), (x.size(1) + block - 1) / block, block, x.size(1), 1, {}};
  std::vector<int64_t> shape{p.n, p.q};
  for (int d = 2; d < x.ndim(); ++d) {
    shape.push_back(x.size(d));
    p.inner *= x.size(d);
  }
  shape.push_back(block);
  Tensor y = Alloc(shape, x.dtype());
  if (Numel(x) == 0) return y;
  p.offsets = SpatialOffsets(x, spatial);
  int64_t sn = StrideOf(x, 0), sc = StrideOf(x, 1);
  BY_SIZE(x.dtype().bits, Pack<E>(Ptr<E>(x), sn, sc, p, Ptr<E>(y)));
  return y;
}

Tensor unpack_channels(TensorView x, int64_t channels, Optional<Tensor> out) {
  CheckAny("x", x);
  REQUIRE(x.ndim() >= 3 && x.ndim() <= kMaxRank + 1, ValueError, "x: rank 3 to " << kMaxRank + 1 << " expected");
  int spatial = x.ndim() - 3;
  int64_t block = x.size(-1), q = x.size(1);
  REQUIRE(block >= 1 && block <= 64, ValueError, "x: a last extent in [1, 64] expected, got " << block);
  REQUIRE(channels >= 0 && channels <= q * block, ValueError, "channels must be in what x holds, got " << channels);
#if BUG == 3
  REQUIRE(channels >= (q - 1) * block, ValueError, "x has more blocks than channels need");
#else
  REQUIRE(channels > (q - 1) * block, ValueError, "x has more blocks than channels need");
#endif
  Plan p{x.size(0), q, block, channels, 1, {}};
  std::vector<int64_t> shape{p.n, channels};
  for (int d = 2; d < 2 + spatial; ++d) {
    shape.push_back(x.size(d));
    p.inner *= x.size(d);
  }
  Tensor y;
  if (out.has_value()) {
    y = out.value();
    TensorView o = y;
#if BUG == 4
    CheckAny("out", o);
    REQUIRE(o.dtype().bits == x.dtype().bits, TypeError, "out: the dtype of x expected");
#else
    CheckType("out", o, {x.dtype()});
#endif
    CheckRank("out", o, static_cast<int>(shape.size()));
    for (size_t d = 0; d < shape.size(); ++d) REQUIRE(o.size(d) == shape[d], ValueError, "out: wrong extent " << d);
    CheckContiguous("out", o);
#if BUG == 6
    TVMFFIObjectIncRef(ffi::details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(y));
#endif
  } else {
    y = Alloc(shape, x.dtype());
  }
  if (Numel(y) == 0) return y;
  p.offsets = SpatialOffsets(x, spatial);
  int64_t sn = StrideOf(x, 0), sq = StrideOf(x, 1), sl = StrideOf(x, x.ndim() - 1);
  BY_SIZE(x.dtype().bits, Unpack<E>(Ptr<E>(x), sn, sq, sl, p, Ptr<E>(y)));
  return y;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_channels, pack_channels);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unpack_channels, unpack_channels);
