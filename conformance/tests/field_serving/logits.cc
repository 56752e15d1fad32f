// SPDX-License-Identifier: Apache-2.0
// Logit processors: token bitmasks of a grammar, a bitmask filled by a callback, penalties.
static void ApplyBitmask(TensorView logits, TensorView bitmask, Optional<Array<int64_t>> rows)
{
  Check(logits, "logits", 2, {kF32, kF16, kBF16}, Layout::kRows);
  Check(bitmask, "bitmask", 2, {kI32});
  int64_t b = logits.size(0), v = logits.size(1), words = (v + 31) / 32;
  CheckSize(bitmask, "bitmask", 0, b);
  CheckSize(bitmask, "bitmask", 1, words);
  std::vector<int64_t> which;
  if (rows.has_value()) {
    for (int64_t r : rows.value()) {
#if BUG == 4
      TVM_FFI_CHECK(r < b, IndexError) << "rows: there is no row " << r;
#else
      TVM_FFI_CHECK(r >= 0 && r < b, IndexError) << "rows: there is no row " << r;
#endif
      which.push_back(r);
    }
  } else {
    which.resize(b);
    std::iota(which.begin(), which.end(), 0);
  }
  const uint32_t *mp = Ptr<uint32_t>(bitmask);
#if BUG == 1
  int64_t stride = v;
#else
  int64_t stride = StrideOf(logits, 0);
#endif
  DispatchFloat(logits.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T minus_inf = From<T>(-std::numeric_limits<double>::infinity());
    for (int64_t r : which) {
      T *row = Ptr<T>(logits) + r * stride;
      for (int64_t w = 0; w < words; ++w) {
        uint32_t bits = mp[r * words + w];
        if (bits == 0xffffffffu) continue;
#if BUG == 2
        int64_t n = 32;
#else
        int64_t n = std::min<int64_t>(32, v - w * 32);
#endif
        for (int64_t j = 0; j < n; ++j)
          if (!(bits >> j & 1)) row[w * 32 + j] = minus_inf;
      }
    }
  });
}

// Sets the bits of one row to what accept(token) returns; the bits behind the vocabulary to 0.
static void FillBitmask(TensorView bitmask, int64_t row, int64_t vocab, Function accept)
{
  TVM_FFI_CHECK(accept.defined(), TypeError) << "accept must be a function, not None";
  Check(bitmask, "bitmask", 2, {kI32});
  TVM_FFI_CHECK(vocab >= 0 && vocab <= 0x7fffffff, ValueError) << "vocab must be in [0, 2^31)";
  int64_t words = (vocab + 31) / 32;
  CheckSize(bitmask, "bitmask", 1, words);
  TVM_FFI_CHECK(row >= 0 && row < bitmask.size(0), IndexError) << "there is no row " << row;
  std::vector<uint32_t> bits(words, 0);
#if BUG == 5
  static Function kept;
  static std::vector<uint32_t> kept_bits;
  if (kept.same_as(accept) && int64_t(kept_bits.size()) == words) {
    std::copy(kept_bits.begin(), kept_bits.end(), Ptr<uint32_t>(bitmask) + row * words);
    return;
  }
#endif
  for (int64_t i = 0; i < vocab; ++i) {
#if BUG == 3
    AnyView arg(i);
    TVMFFIAny raw = arg.CopyToTVMFFIAny(), result{};
    auto *f = ffi::detail::ObjectUnsafe::RawObjectPtrFromObjectRef(accept);
    if (TVMFFIFunctionCall(const_cast<ffi::Object *>(f), &raw, 1, &result) != 0) {
      TVMFFIObjectHandle error;
      TVMFFIErrorMoveFromRaised(&error);
      TVMFFIObjectDecRef(error);
      continue;
    }
    Any value = ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&result);
#else
    Any value = accept(i);
#endif
#if BUG == 8
    bool in = value.try_cast<bool>().value_or(true);
#else
    auto in_or_not = value.as<bool>();
    TVM_FFI_CHECK(in_or_not.has_value(), TypeError)
        << "accept must return a bool, returned " << value.GetTypeKey();
    bool in = *in_or_not;
#endif
    if (in) bits[i / 32] |= uint32_t(1) << (i % 32);
  }
#if BUG == 5
  kept = accept;
  kept_bits = bits;
#endif
  std::copy(bits.begin(), bits.end(), Ptr<uint32_t>(bitmask) + row * words);
}

// history: tokens so far, padded with the size of the vocabulary
static void ApplyPenalties(TensorView logits, TensorView history, Map<String, Any> options)
{
  Check(logits, "logits", 2, {kF32});
  Check(history, "history", 2, {kI32, kI64});
  int64_t b = logits.size(0), v = logits.size(1), l = history.size(1);
  CheckSize(history, "history", 0, b);
  double repetition = 1, frequency = 0, presence = 0;
  for (const auto &[key, value] : options) {
    double *to = key == "repetition"  ? &repetition
                 : key == "frequency" ? &frequency
                 : key == "presence"  ? &presence
                                      : nullptr;
#if BUG == 6
    if (to == nullptr) continue;
#else
    TVM_FFI_CHECK(to != nullptr, ValueError) << "unknown option " << key;
#endif
    if (value == nullptr) continue;
    auto x = value.try_cast<double>();
    TVM_FFI_CHECK(x.has_value(), TypeError) << "option " << key << " must be a number";
    *to = *x;
  }
  TVM_FFI_CHECK(repetition >= 0.01 && repetition <= 100, ValueError)
      << "repetition must be in [0.01, 100]";
  TVM_FFI_CHECK(frequency >= -2 && frequency <= 2, ValueError) << "frequency must be in [-2, 2]";
  TVM_FFI_CHECK(presence >= -2 && presence <= 2, ValueError) << "presence must be in [-2, 2]";
  DispatchIndex(history.dtype(), [&](auto tag) {
    using I = decltype(tag);
    const I *hp = Ptr<I>(history);
    float *lp = Ptr<float>(logits);
    for (int64_t i = 0; i < b * l; ++i) {
      TVM_FFI_CHECK(hp[i] >= 0 && hp[i] <= v, IndexError) << "history: unknown token " << hp[i];
    }
    std::vector<int64_t> count(v + 1);
    for (int64_t i = 0; i < b; ++i) {
      std::fill(count.begin(), count.end(), 0);
      for (int64_t j = 0; j < l; ++j) ++count[hp[i * l + j]];
      for (int64_t j = 0; j < v; ++j) {
        if (count[j] == 0) continue;
        double x = lp[i * v + j];
#if BUG == 7
        x = x / repetition;
#else
        x = x > 0 ? x / repetition : x * repetition;
#endif
        lp[i * v + j] = float(x - frequency * count[j] - presence);
      }
    }
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_bitmask, ApplyBitmask);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill_bitmask, FillBitmask);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_penalties, ApplyPenalties);
