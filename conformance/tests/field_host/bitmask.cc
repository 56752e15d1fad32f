// SPDX-License-Identifier: Apache-2.0
// Token bitmasks of grammar-guided decoding: bit v % 32 of word v / 32 says whether token v is allowed.
namespace
{

template <typename T>
void MaskRow(T *row, const int32_t *mask, int64_t v, T minus_inf)
{
  for (int64_t w = 0; w * 32 < v; ++w) {
    uint32_t bits = static_cast<uint32_t>(mask[w]);
    if (bits == 0xffffffffu) continue;
    int64_t end = std::min<int64_t>(v, w * 32 + 32);
    for (int64_t i = w * 32; i < end; ++i) {
      if (!((bits >> (i - w * 32)) & 1)) row[i] = minus_inf;
    }
  }
}

void ApplyTokenBitmask(TensorView logits, TensorView bitmask, const Optional<Tensor> &indices)
{
  CheckCpu(logits, "logits");
  CheckDType(logits, {kF32, kF16, kBF16}, "logits");
  CheckRank(logits, 2, "logits");
  CheckData(logits, "logits");
  CheckTensor(bitmask, {kI32}, 2, "bitmask");
  int64_t b = logits.size(0), v = logits.size(1);
  REQUIRE(bitmask.size(0) == b, ValueError) << "bitmask must have a row for each of logits";
  REQUIRE(bitmask.size(1) == v / 32 + (v % 32 != 0), ValueError)
      << "bitmask must have a bit for each token";
  REQUIRE(v <= 1 || Stride(logits, 1) == 1 || b == 0, ValueError)
      << "rows of logits must be contiguous";
#if BUG == 2
  int64_t stride = v;
#else
  int64_t stride = b > 1 ? Stride(logits, 0) : v;
#endif
  REQUIRE(stride >= v || stride <= -v, ValueError) << "rows of logits must not overlap";
  std::vector<int64_t> rows;
#if BUG == 5
  if (indices.has_value() && indices.value().size(0) > 0) {
#else
  if (indices.has_value()) {
#endif
    Tensor held = indices.value();
    TensorView ix(held);
    CheckTensor(ix, {kI32}, 1, "indices");
    for (int64_t i = 0; i < ix.size(0); ++i) {
      int64_t r = Ptr<int32_t>(ix)[i];
#if BUG == 3
      REQUIRE(r < b, IndexError) << "index " << r << " is not a row";
#else
      REQUIRE(r >= 0 && r < b, IndexError) << "index " << r << " is not a row";
#endif
      rows.push_back(r);
    }
    // a row named twice is not to be written by two threads
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  } else {
    for (int64_t r = 0; r < b; ++r) rows.push_back(r);
  }
  if (v == 0) return;
  int64_t words = bitmask.size(1);
  ParallelFor(static_cast<int64_t>(rows.size()), 1 + 65536 / v, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int32_t *mask = Ptr<int32_t>(bitmask) + rows[i] * words;
      if (Is(logits.dtype(), kF32)) {
        MaskRow<float>(Ptr<float>(logits) + rows[i] * stride, mask, v,
                       -std::numeric_limits<float>::infinity());
      } else {
#if BUG == 1
        uint16_t inf = 0xfc00;
#else
        uint16_t inf = Is(logits.dtype(), kF16) ? 0xfc00 : 0xff80;
#endif
        MaskRow<uint16_t>(Ptr<uint16_t>(logits) + rows[i] * stride, mask, v, inf);
      }
    }
  });
}

Tensor PackBitmask(TensorView allowed)
{
  CheckTensor(allowed, {kBool, kU8}, 2, "allowed");
  int64_t b = allowed.size(0), v = allowed.size(1), words = v / 32 + (v % 32 != 0);
  Tensor out = Alloc({b, words}, kI32);
  const uint8_t *p = Ptr<uint8_t>(allowed);
  int32_t *q = Out<int32_t>(out);
  for (int64_t r = 0; r < b; ++r) {
    for (int64_t w = 0; w < words; ++w) {
      uint32_t bits = 0;
#if BUG == 6
      for (int64_t i = 0; i < 32; ++i) {
#else
      for (int64_t i = 0; i < 32 && w * 32 + i < v; ++i) {
#endif
        if (p[r * v + w * 32 + i] != 0) bits |= 1u << i;
      }
      q[r * words + w] = static_cast<int32_t>(bits);
    }
  }
  return out;
}

void FillBitmask(TensorView bitmask, int64_t row, const Array<int64_t> &tokens)
{
  CheckTensor(bitmask, {kI32}, 2, "bitmask");
  REQUIRE(row >= 0 && row < bitmask.size(0), IndexError)
      << "row " << row << " is not in the bitmask";
  int64_t words = bitmask.size(1);
  int32_t *q = Ptr<int32_t>(bitmask) + row * words;
#if BUG == 4
  std::fill(q, q + words, 0);
  for (int64_t t : tokens) {
    REQUIRE(t >= 0 && t / 32 < words, IndexError) << "token " << t << " is not in the bitmask";
    q[t / 32] = static_cast<int32_t>(static_cast<uint32_t>(q[t / 32]) | 1u << (t % 32));
  }
#else
  std::vector<int64_t> list;
  for (int64_t t : tokens) {
    REQUIRE(t >= 0 && t / 32 < words, IndexError) << "token " << t << " is not in the bitmask";
    list.push_back(t);
  }
  std::fill(q, q + words, 0);
  for (int64_t t : list)
    q[t / 32] = static_cast<int32_t>(static_cast<uint32_t>(q[t / 32]) | 1u << (t % 32));
#endif
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, ApplyTokenBitmask);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack_bitmask, PackBitmask);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill_bitmask, FillBitmask);
