// SPDX-License-Identifier: Apache-2.0
// Grammar-constrained decoding: logits of tokens whose bit is 0 become -inf, in place.
namespace {

using tvm::ffi::Array;
using tvm::ffi::Optional;

template <typename W>
void mask_row(W* row, int64_t vocab, const int32_t* words, int64_t step, W lowest) {
  for (int64_t at = 0; at < vocab; at += 32, words += step) {
    uint32_t word = static_cast<uint32_t>(*words);
    if (word == 0xffffffffu) continue;
    int64_t end = std::min<int64_t>(32, vocab - at);
    for (int64_t i = 0; i < end; ++i)
      if ((word >> i & 1) == 0) row[at + i] = lowest;
  }
}

uint32_t lowest_of(DLDataType t) {
  bool half = t.lanes == 1 && t.bits == 16;
  if (half && t.code == kDLFloat) return 0xfc00u;
  if (half && t.code == kDLBfloat) return 0xff80u;
  TVM_FFI_CHECK(kit::same(t, kit::type_of<float>()), TypeError)
      << "logits must be float32, float16 or bfloat16";
  return 0xff800000u;
}

void apply(DLTensor* logits, DLTensor* bitmask, Optional<Array<int64_t>> indices) {
  uint32_t lowest = lowest_of(logits->dtype);
  TVM_FFI_CHECK(kit::same(bitmask->dtype, kit::type_of<int32_t>()), TypeError)
      << "bitmask must be int32";
  TVM_FFI_CHECK(logits->ndim == 2 && bitmask->ndim == 2, ValueError)
      << "logits and bitmask must have two dimensions";
  TVM_FFI_CHECK(
      logits->device.device_type == kDLCPU && bitmask->device.device_type == kDLCPU, ValueError)
      << "logits and bitmask must be on the CPU";
  int64_t batch = logits->shape[0], vocab = logits->shape[1];
  TVM_FFI_CHECK(bitmask->shape[0] == batch && bitmask->shape[1] == (vocab + 31) / 32, ValueError)
      << "bitmask must be [" << batch << ", " << (vocab + 31) / 32 << "]";
  TVM_FFI_CHECK(vocab <= 1 || batch == 0 || kit::stride(logits, 1) == 1, ValueError)
      << "the logits of a row must lie side by side";
  size_t size = logits->dtype.bits / 8;
  char* base = kit::start<char>(*logits);
  const int32_t* words = kit::start<int32_t>(*bitmask);
  TVM_FFI_CHECK(reinterpret_cast<uintptr_t>(base) % size == 0 &&
                    reinterpret_cast<uintptr_t>(words) % 4 == 0,
                ValueError)
      << "logits and bitmask must be aligned to their elements";

  int64_t row_step = kit::stride(logits, 0) * static_cast<int64_t>(size);
  int64_t mask_step = kit::stride(bitmask, 0), word_step = kit::stride(bitmask, 1);
  auto one = [&](int64_t r) {
    char* row = base + r * row_step;
    const int32_t* w = words + r * mask_step;
    if (size == 4) mask_row(reinterpret_cast<uint32_t*>(row), vocab, w, word_step, lowest);
    else mask_row(reinterpret_cast<uint16_t*>(row), vocab, w, word_step, uint16_t(lowest));
  };
  if (!indices.has_value()) {
    for (int64_t r = 0; r < batch; ++r) one(r);
    return;
  }
  Array<int64_t> rows = *indices;
  for (int64_t r : rows)
    if (r < 0 || r >= batch) TVM_FFI_THROW(IndexError) << "indices: no row " << r;
  for (int64_t r : rows) one(r);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, apply);
