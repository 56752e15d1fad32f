// SPDX-License-Identifier: Apache-2.0
// Masks logits by the bits that a grammar allows: a token whose bit is 0 gets minus infinity.
namespace {

using namespace set;

constexpr int64_t kParallel = 1 << 16;  // elements from which on threads are worth it
constexpr int64_t kThreads = 4;

template <typename T>
void MaskRow(T* logits, const int32_t* words, int64_t limit, T low) {
  for (int64_t j = 0; j < limit; ++j) {
    if ((static_cast<uint32_t>(words[j / 32]) >> (j % 32) & 1u) == 0) logits[j] = low;
  }
}

template <typename T>
void MaskRows(const TensorView& logits, const int32_t* words, const std::vector<char>& chosen,
              int64_t limit, T low) {
  T* base = Data<T>(logits);
  int64_t rows = logits.size(0), row_words = (logits.size(1) + 31) / 32;
  int64_t stride = BUG == 1 ? logits.size(1) : Stride(logits, 0);
  auto part = [&](int64_t from, int64_t to) {
    for (int64_t r = from; r < to; ++r) {
      if (chosen[r]) MaskRow<T>(base + r * stride, words + r * row_words, limit, low);
    }
  };
  if (rows < 2 || rows * limit < kParallel) return part(0, rows);
  int64_t n = std::min(rows, kThreads);
#if BUG == 5
  int64_t each = rows / n;
#else
  int64_t each = (rows + n - 1) / n;
#endif
  Threads threads;
  for (int64_t i = 1; i < n; ++i) {
    threads.Start([=, &part] { part(std::min(i * each, rows), std::min((i + 1) * each, rows)); });
  }
  part(0, each);
  threads.Join();
}

void TokenBitmask(TensorView logits, TensorView bitmask, Optional<Tensor> indices,
                  Optional<int64_t> vocab_size) {
  DLDataType t = logits.dtype();
  bool f32 = Is(t, kDLFloat, 32), f16 = Is(t, kDLFloat, 16), bf16 = Is(t, kDLBfloat, 16);
  if (!f32 && !f16 && !bf16) WrongType(t, "logits", "float32, float16 or bfloat16");
  CheckRank(logits, 2, "logits");
  CheckHost(logits, "logits");
  int64_t b = logits.size(0), v = logits.size(1);
  if (!logits.IsContiguous()) {
    if (v > 1 && logits.stride(1) != 1) {
      TVM_FFI_THROW(ValueError) << "logits must have stride 1 in the last dimension";
    }
    if (b > 1 && std::abs(logits.stride(0)) < v) {
      TVM_FFI_THROW(ValueError) << "logits must have rows that do not overlap";
    }
  }

  if (!Is(bitmask.dtype(), kDLInt, 32)) WrongType(bitmask.dtype(), "bitmask", "int32");
  CheckRank(bitmask, 2, "bitmask");
  CheckHost(bitmask, "bitmask");
  CheckContiguous(bitmask, "bitmask");
  CheckSize(bitmask, 0, b, "bitmask");
#if BUG != 6
  CheckSize(bitmask, 1, (v + 31) / 32, "bitmask");
#endif

  int64_t limit = v;
  if (vocab_size.has_value()) {
    limit = vocab_size.value();
    if (limit < 1 || limit > v) {
      TVM_FFI_THROW(ValueError) << "vocab_size must be from 1 to " << v << ", not " << limit;
    }
  }
#if BUG == 4
  limit = std::min((limit + 31) / 32 * 32, v);
#endif

#if BUG == 8
  static thread_local std::vector<char> chosen;
  chosen.resize(b, indices.has_value() ? 0 : 1);
  if (!indices.has_value()) std::fill(chosen.begin(), chosen.end(), 1);
#else
  std::vector<char> chosen(b, indices.has_value() ? 0 : 1);
#endif
  if (indices.has_value()) {
    Tensor at = indices.value();
    if (!Is(at.dtype(), kDLInt, 32)) WrongType(at.dtype(), "indices", "int32");
    CheckRank(at, 1, "indices");
    CheckHost(at, "indices");
    CheckContiguous(at, "indices");
    const int32_t* rows = Data<int32_t>(at);
    for (int64_t i = 0; i < at.size(0); ++i) {
      int64_t r = rows[i];
#if BUG == 3
      if (r < 0) r += b;
#endif
      if (r < 0 || r >= b) {
        TVM_FFI_THROW(IndexError) << "indices[" << i << "] must be from 0 to " << b - 1 << ", not "
                                  << r;
      }
      chosen[r] = 1;
    }
  }

#if BUG == 7
  const int32_t* words = static_cast<const int32_t*>(bitmask.data_ptr());
#else
  const int32_t* words = Data<int32_t>(bitmask);
#endif
  if (f32) {
    MaskRows<float>(logits, words, chosen, limit, -std::numeric_limits<float>::infinity());
  } else if (f16) {
    MaskRows<uint16_t>(logits, words, chosen, limit, 0xfc00);
  } else {
    MaskRows<uint16_t>(logits, words, chosen, limit, BUG == 2 ? 0xfc00 : 0xff80);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(token_bitmask, TokenBitmask);
