// SPDX-License-Identifier: Apache-2.0
// Masks the logits of tokens that a grammar does not allow, in place.
namespace host {

template <typename T>
void Mask(T* logits, int64_t stride, const int32_t* mask, int64_t words, int64_t row,
          int64_t limit, T fill) {
  T* to = logits + row * stride;
  const int32_t* from = mask + row * words;
#if BUG == 4
  const int64_t used = limit / 32;
#else
  const int64_t used = (limit + 31) / 32;
#endif
  for (int64_t w = 0; w < used; ++w) {
    const auto bits = static_cast<uint32_t>(from[w]);
    if (bits == 0xffffffffu) continue;
    const int64_t begin = w * 32;
#if BUG == 7
    const int64_t end = bits == 0 ? begin + 32 : std::min(begin + 32, limit);
#else
    const int64_t end = std::min(begin + 32, limit);
#endif
    for (int64_t i = begin; i < end; ++i) {
      if (!(bits >> (i - begin) & 1)) to[i] = fill;
    }
  }
}

template <typename T>
void MaskRows(const TensorView& logits, const int32_t* mask, int64_t words,
              const std::vector<int64_t>* rows, int64_t limit, T fill) {
  const int64_t batch = logits.size(0);
  const int64_t stride = BUG == 1 ? logits.size(1) : Stride(logits, 0);
  T* data = Data<T>(logits);
  if (rows == nullptr) {
    for (int64_t i = 0; i < batch; ++i) Mask(data, stride, mask, words, i, limit, fill);
    return;
  }
  for (int64_t i : *rows) {
#if BUG == 5
    if (i < 0 || i >= batch) {
      TVM_FFI_THROW(IndexError) << "indices must be rows of logits, got " << i;
    }
#endif
    Mask(data, stride, mask, words, i, limit, fill);
  }
}

// logits [b, v], bitmask [b, (v + 31) / 32]: a set bit allows its token.
void ApplyTokenBitmask(TensorView logits, TensorView bitmask, Optional<Tensor> indices,
                       Optional<int64_t> vocab_size, Optional<double> fill) {
  CheckType(logits, "logits", {kF32, kF16, kBF16});
  CheckRank(logits, "logits", 2);
  CheckDevice(logits, "logits");
  const int64_t batch = logits.size(0), vocab = logits.size(1);
  if (!Compact(logits) && vocab > 1 && logits.stride(1) != 1) {
    TVM_FFI_THROW(ValueError) << "logits must have rows of adjacent elements";
  }
  CheckMemory(logits, "logits");
  CheckDense(bitmask, "bitmask", 2, {kI32});
  CheckExtent(bitmask, "bitmask", 0, batch);
  CheckExtent(bitmask, "bitmask", 1, (vocab + 31) / 32);

#if BUG == 6
  static const int64_t limit = vocab_size.has_value() ? vocab_size.value() : vocab;
#else
  const int64_t limit = vocab_size.has_value() ? vocab_size.value() : vocab;
#endif
  if (limit < 0 || limit > vocab) {
    TVM_FFI_THROW(ValueError) << "vocab_size must be from 0 to " << vocab << ", got " << limit;
  }
  double with = -std::numeric_limits<double>::infinity();
  if (fill.has_value()) {
    if (std::isnan(fill.value())) TVM_FFI_THROW(ValueError) << "fill must not be NaN";
#if BUG == 8
    if (fill.value() != 0) with = fill.value();
#else
    with = fill.value();
#endif
  }

  std::vector<int64_t> rows;
  if (indices.has_value()) {
    const Tensor held = indices.value();
    const TensorView at(held);
    CheckDense(at, "indices", 1, {kI32, kI64});
    for (int64_t i = 0; i < at.size(0); ++i) {
      const int64_t row =
          Same(at.dtype(), kI32) ? Data<const int32_t>(at)[i] : Data<const int64_t>(at)[i];
#if BUG == 2
      if (row >= batch) {
        TVM_FFI_THROW(IndexError) << "indices must be rows of logits, got " << row;
      }
#elif BUG != 5
      if (row < 0 || row >= batch) {
        TVM_FFI_THROW(IndexError) << "indices must be rows of logits, got " << row;
      }
#endif
      rows.push_back(row);
    }
  }
  const std::vector<int64_t>* some = indices.has_value() ? &rows : nullptr;
  const auto* mask = Data<const int32_t>(bitmask);
  const int64_t words = bitmask.size(1);
  if (Same(logits.dtype(), kF32)) {
    MaskRows<float>(logits, mask, words, some, limit, static_cast<float>(with));
  } else if (Same(logits.dtype(), kF16)) {
    MaskRows<uint16_t>(logits, mask, words, some, limit, ToHalf(with));
  } else {
    MaskRows<uint16_t>(logits, mask, words, some, limit,
                       BUG == 3 ? ToHalf(with) : ToBfloat(with));
  }
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, host::ApplyTokenBitmask);
