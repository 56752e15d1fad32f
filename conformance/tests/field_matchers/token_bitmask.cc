// SPDX-License-Identifier: Apache-2.0
// Sets the logits of tokens that a grammar does not allow to minus infinity, in place.
namespace {

using namespace set;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

template <typename T>
void MaskRow(T* logits, const int32_t* words, int64_t vocab, T lowest) {
  for (int64_t j = 0; j < vocab; ++j) {
    if (((static_cast<uint32_t>(words[j / 32]) >> (j % 32)) & 1u) == 0) logits[j] = lowest;
  }
}

void ApplyTokenBitmask(TensorView logits, TensorView bitmask, Optional<int64_t> vocab_size,
                       Optional<Tensor> indices) {
  CheckKind(logits, "logits", 2, {kF32, kF16, kBF16});
  CheckKind(bitmask, "bitmask", 2, {kI32});
  CheckDense(bitmask, "bitmask");
  const int64_t rows = logits.size(0);
  const int64_t columns = logits.size(1);
  CheckSize(bitmask, "bitmask", 0, rows);
  CheckSize(bitmask, "bitmask", 1, (columns + 31) / 32);
  View view(logits);
  if (logits.numel() != 0 && columns > 1 && view.stride(1) != 1) {
    TVM_FFI_THROW(ValueError) << "logits must have adjacent elements in its last dimension";
  }
  const int64_t stride = BUG == 7 ? columns : view.stride(0);
  if (logits.numel() != 0 && rows > 1 && std::abs(view.stride(0)) < columns) {
    TVM_FFI_THROW(ValueError) << "the rows of logits must not overlap";
  }
  int64_t vocab = columns;
  if (vocab_size.has_value()) {
    vocab = vocab_size.value();
#if BUG == 4
    if (vocab < 0) {
#else
    if (vocab < 0 || vocab > columns) {
#endif
      TVM_FFI_THROW(ValueError) << "vocab_size must be from 0 to " << columns << ", is " << vocab;
    }
  }
  CheckData(logits, "logits");
  CheckData(bitmask, "bitmask");
  const int32_t* list = nullptr;
  int64_t count = rows;
  if (indices.has_value() && indices.value().defined()) {
    const Tensor given = indices.value();
    TensorView which(given);
    CheckKind(which, "indices", 1, {kI32});
    CheckDense(which, "indices");
    CheckData(which, "indices");
    list = Data<int32_t>(which);
    count = which.size(0);
  }
  auto check = [&](int64_t i) {
#if BUG == 5
    if (list[i] >= rows) {
#else
    if (list[i] < 0 || list[i] >= rows) {
#endif
      TVM_FFI_THROW(IndexError) << "indices[" << i << "] is " << list[i] << ", of " << rows
                                << " rows";
    }
  };
  if (BUG != 6 && list != nullptr) {
    for (int64_t i = 0; i < count; ++i) check(i);
  }
  const int64_t words = BUG == 2 ? std::max<int64_t>(columns / 32, 1) : (columns + 31) / 32;
  const int32_t* bits =
      BUG == 1 ? static_cast<const int32_t*>(bitmask.data_ptr()) : Data<const int32_t>(bitmask);
  for (int64_t i = 0; i < count; ++i) {
    if (BUG == 6 && list != nullptr) check(i);
    const int64_t row = list != nullptr ? list[i] : i;
    const int32_t* allowed = bits + row * words;
    if (Same(logits.dtype(), kF32)) {
      MaskRow(Data<float>(logits) + row * stride, allowed, vocab,
              -std::numeric_limits<float>::infinity());
    } else {
      const bool half = BUG == 3 || Same(logits.dtype(), kF16);
      MaskRow<uint16_t>(Data<uint16_t>(logits) + row * stride, allowed, vocab,
                        half ? 0xFC00 : 0xFF80);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, ApplyTokenBitmask);
