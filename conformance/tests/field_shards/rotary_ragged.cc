// SPDX-License-Identifier: Apache-2.0
// Rotates queries and keys of ragged batches by their positions, in place.
//
// rotary_ragged(q, k, cache, indptr, offsets, interleave)
//   q        float32, float16 or bfloat16 (n, hq, d); rows of d lie anywhere
//   k        the same type (n, hk, d), or None
//   cache    float32 (p, r): for each position r / 2 cosines, then r / 2 sines; r <= d is even
//   indptr   int32 (b + 1): request i has the tokens indptr[i] to indptr[i + 1]
//   offsets  int32 (b): the position of the first token of each request
//   interleave  pairs are (2i, 2i + 1), else (i, i + r / 2); what is behind r is left as it is
namespace {

using namespace set;

struct Heads {
  void* data;
  int64_t heads, token_step, head_step;
};

Heads CheckHeads(const char* name, const TensorView& t) {
  CheckBasics(name, t, 3);
  CheckRows(name, t);
  std::vector<int64_t> step = Strides(t);
#if BUG == 4
  step[1] = t.shape()[2];
#endif
  return Heads{Data(t), t.shape()[1], step[0], step[1]};
}

void Rotate(void* data, int64_t begin, int64_t d, int64_t r, const float* table, bool interleave,
            Real kind) {
  (void)d;
  int64_t half = r / 2;
  for (int64_t i = 0; i < half; ++i) {
    float c = table[i], s = table[half + i];
#if BUG == 7
    int64_t first = interleave ? 2 * i : i, second = interleave ? 2 * i + 1 : i + d / 2;
#else
    int64_t first = interleave ? 2 * i : i, second = interleave ? 2 * i + 1 : i + half;
#endif
    float x = Load(data, begin + first, kind), y = Load(data, begin + second, kind);
    Store(data, begin + first, kind, x * c - y * s);
#if BUG == 2
    if (interleave) x = Load(data, begin + first, kind);
#endif
    Store(data, begin + second, kind, x * s + y * c);
  }
}

void RotaryRagged(TensorView q, Optional<Tensor> k, TensorView cache, TensorView indptr,
                  TensorView offsets, bool interleave) {
  Real kind = CheckReal("q", q);
  Heads query = CheckHeads("q", q);
  int64_t n = q.shape()[0], d = q.shape()[2];
  Heads key{nullptr, 0, 0, 0};
  if (k.has_value()) {
    TensorView view = View(k.value());
    CheckType("k", view, q.dtype());
    key = CheckHeads("k", view);
    CheckExtent("k", view, 0, n, "tokens of q");
    CheckExtent("k", view, 2, d, "head size of q");
#if BUG == 3
    key.heads = query.heads;
#endif
  }
  CheckType("cache", cache, Type(kDLFloat, 32));
  CheckBasics("cache", cache, 2);
  CheckCompact("cache", cache);
  int64_t positions = cache.shape()[0], r = cache.shape()[1];
  if (r % 2 != 0 || r > d) {
    TVM_FFI_THROW(ValueError) << "cache must have an even number of columns, at most " << d
                              << ", not " << r;
  }
  CheckType("indptr", indptr, Type(kDLInt, 32));
  CheckBasics("indptr", indptr, 1);
  CheckCompact("indptr", indptr);
  CheckType("offsets", offsets, Type(kDLInt, 32));
  CheckBasics("offsets", offsets, 1);
  CheckCompact("offsets", offsets);
  int64_t b = offsets.shape()[0];
  CheckExtent("indptr", indptr, 0, b + 1, "requests in offsets, and 1");
  const int32_t* at = As<int32_t>(indptr);
  const int32_t* first = As<int32_t>(offsets);
  if (at[0] != 0) TVM_FFI_THROW(ValueError) << "indptr must begin with 0, not " << at[0];
  if (at[b] != n) {
    TVM_FFI_THROW(ValueError) << "indptr must end with the tokens of q, " << n << ", not "
                              << at[b];
  }
  for (int64_t i = 0; i < b; ++i) {
    if (at[i + 1] < at[i]) TVM_FFI_THROW(ValueError) << "indptr must not decrease, and does at "
                                                     << i + 1;
    if (first[i] < 0) {
      TVM_FFI_THROW(ValueError) << "offsets must not be negative: " << first[i] << " at " << i;
    }
#if BUG == 5
    if (first[i] > positions) {
#else
    if (int64_t{first[i]} + at[i + 1] - at[i] > positions) {
#endif
      TVM_FFI_THROW(ValueError) << "offsets is beyond the positions in cache, " << positions
                                << ", for request " << i;
    }
  }
  const float* table = As<float>(cache);
  int64_t request = 0;
  for (int64_t t = 0; t < n; ++t) {
#if BUG == 6
    if (t >= at[request + 1]) ++request;
#else
    while (t >= at[request + 1]) ++request;
#endif
    const float* row = table + (first[request] + t - at[request]) * r;
    for (int64_t h = 0; h < query.heads; ++h) {
      Rotate(query.data, t * query.token_step + h * query.head_step, d, r, row, interleave, kind);
    }
    for (int64_t h = 0; h < key.heads; ++h) {
      Rotate(key.data, t * key.token_step + h * key.head_step, d, r, row,
             BUG == 1 ? false : interleave, kind);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rotary_ragged, RotaryRagged);
