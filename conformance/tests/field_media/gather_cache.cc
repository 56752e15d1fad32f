// SPDX-License-Identifier: Apache-2.0
// Gathers the pages of sequences out of a paged cache into one ragged tensor, dequantized: what chunked prefill does before it
// attends to what is cached.

static float E4M3ToFloat(uint8_t b) {
  int exp = (b >> 3) & 15, man = b & 7;
  float v;
  if (exp == 15 && man == 7) return std::numeric_limits<float>::quiet_NaN();
#if BUG == 1
  v = std::ldexp(1.0f + man / 8.0f, exp - 7);
  if (exp == 0 && man == 0) v = 0;
#else
  if (exp == 0) v = std::ldexp(man / 8.0f, -6);
  else v = std::ldexp(1.0f + man / 8.0f, exp - 7);
#endif
  return b & 0x80 ? -v : v;
}

static int64_t Int(const TensorView& t, int64_t i) {
#if BUG == 2
  return Ptr<int32_t>(t)[i];
#else
  return Same(t.dtype(), kI64) ? Ptr<int64_t>(t)[i] : Ptr<int32_t>(t)[i];
#endif
}

void gather_cache(TensorView cache, TensorView table, TensorView starts, Variant<double, Tensor> scale, TensorView out) {
  CheckType("cache", cache, {kE4M3, kBF16, kF16});
  CheckRank("cache", cache, 3);
  int64_t pages = cache.size(0), page = cache.size(1), d = cache.size(2);
  REQUIRE(page >= 1, ValueError, "cache: pages are empty");
  CheckRows("cache", cache);
  CheckType("table", table, {kI32});
  CheckRank("table", table, 2);
  CheckContiguous("table", table);
  int64_t r = table.size(0), width = table.size(1);
  CheckType("starts", starts, {kI32, kI64});
  CheckShape("starts", starts, {r + 1});
  CheckContiguous("starts", starts);
  CheckType("out", out, {kF32, kBF16, kF16});
  CheckRank("out", out, 2);
  REQUIRE(out.size(1) == d, ValueError, "out: rows of " << d << " expected");
  CheckContiguous("out", out);
  int64_t total = out.size(0);
  int64_t before = 0;
  for (int64_t i = 0; i <= r; ++i) {
    int64_t at = Int(starts, i);
    REQUIRE(i > 0 || at == 0, ValueError, "starts must begin with 0");
    REQUIRE(at >= before, ValueError, "starts must not fall");
    REQUIRE((at - before) / page + ((at - before) % page != 0) <= width, ValueError, "a sequence is longer than its row of the table");
    REQUIRE(at <= total, ValueError, "starts end beyond out");
    before = at;
  }
#if BUG != 3
  REQUIRE(before == total, ValueError, "starts must end with the rows of out");
#endif
  const int32_t* at = Ptr<int32_t>(table);
  for (int64_t i = 0; i < r * width; ++i) {
#if BUG == 4
    REQUIRE(at[i] >= 0 && at[i] <= pages, IndexError, "table: no page " << at[i]);
#else
    REQUIRE(at[i] >= 0 && at[i] < pages, IndexError, "table: no page " << at[i]);
#endif
  }
#if BUG == 7
  static std::vector<float> scales;
#else
  std::vector<float> scales;
#endif
  if (std::optional<double> one = scale.as<double>()) {
    REQUIRE(*one > 0 && *one <= 1024, ValueError, "scale must be in (0, 1024]");
    scales.assign(d, static_cast<float>(*one));
  } else {
    Tensor held = scale.get<Tensor>();
    REQUIRE(held.defined(), TypeError, "scale must not be None");
    TensorView s = held;
#if BUG == 6
    REQUIRE(s.dtype().code == kDLFloat, TypeError, "scale: floats expected");
#else
    CheckType("scale", s, {kF32});
#endif
    CheckShape("scale", s, {d});
    CheckContiguous("scale", s);
    scales.assign(Ptr<float>(s), Ptr<float>(s) + d);
  }
  DLDataType from = cache.dtype(), to = out.dtype();
  const char* x = Ptr<char>(cache);
  char* y = Ptr<char>(out);
#if BUG == 5
  int64_t sp = page * d, st = d;
#else
  int64_t sp = StrideOf(cache, 0), st = StrideOf(cache, 1);
#endif
  ParallelFor(r, std::max<int64_t>(1, 32768 / (total / std::max<int64_t>(r, 1) * d + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t first = Int(starts, i), n = Int(starts, i + 1) - first;
      for (int64_t t = 0; t < n; ++t) {
        int64_t row = at[i * width + t / page] * sp + t % page * st, o = (first + t) * d;
        for (int64_t e = 0; e < d; ++e) {
          double v = Same(from, kE4M3) ? E4M3ToFloat(reinterpret_cast<const uint8_t*>(x)[row + e]) : Load(x, from, row + e);
          Store(y, to, o + e, v * scales[e]);
        }
      }
    }
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gather_cache, gather_cache);
