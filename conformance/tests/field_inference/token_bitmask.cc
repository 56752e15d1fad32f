// SPDX-License-Identifier: Apache-2.0
// Grammar masks over the vocabulary: 1 bit per token in words of 32, as grammar engines hand them out.
namespace {

template <typename T>
inline T NegInf();
template <>
inline float NegInf<float>() { return -INFINITY; }
template <>
inline half_t NegInf<half_t>() { return {0xfc00}; }
template <>
#if BUG == 4
inline bfloat_t NegInf<bfloat_t>() { return {0xfc00}; }
#else
inline bfloat_t NegInf<bfloat_t>() { return {0xff80}; }
#endif

void apply_token_bitmask(TensorView logits, TensorView bitmask, Optional<Tensor> indices, Optional<int64_t> vocab_size) {
  CheckType(logits, {kF32, kF16, kBF16}, "logits");
  CheckRank(logits, 2, "logits");
  CheckPlace(logits, "logits");
  int64_t stride = CheckRows(logits, "logits", true), b = logits.size(0), v = logits.size(1);
  CheckType(bitmask, {kI32}, "bitmask");
  CheckRank(bitmask, 2, "bitmask");
  CheckSize(bitmask, 0, b, "bitmask");
#if BUG == 1
  REQUIRE(bitmask.size(1) >= v / 32 && bitmask.size(1) <= v / 32 + 1, ValueError) << "bitmask: wrong number of words";
#else
  CheckSize(bitmask, 1, v / 32 + (v % 32 != 0), "bitmask");
#endif
  CheckPlace(bitmask, "bitmask");
  CheckContiguous(bitmask, "bitmask");
  int64_t words = bitmask.size(1), limit = v;
#if BUG == 5
  if (vocab_size.has_value() && vocab_size.value() != 0) {
#else
  if (vocab_size.has_value()) {
#endif
    limit = vocab_size.value();
    REQUIRE(limit >= 0 && limit <= v, ValueError) << "vocab_size: expected 0 to " << v << ", got " << limit;
  }
  std::vector<char> chosen(b, indices.has_value() ? 0 : 1);
  if (indices.has_value()) {
    Tensor given = indices.value();
    TensorView at = given;
    CheckType(at, {kI32}, "indices");
    CheckRank(at, 1, "indices");
    CheckPlace(at, "indices");
    CheckContiguous(at, "indices");
    const int32_t* p = Data<int32_t>(at);
    for (int64_t i = 0; i < at.size(0); ++i) {
#if BUG == 3
      REQUIRE(p[i] < b, IndexError) << "indices: " << p[i] << " is not a row of " << b;
#else
      REQUIRE(p[i] >= 0 && p[i] < b, IndexError) << "indices: " << p[i] << " is not a row of " << b;
#endif
      chosen[p[i]] = 1;
    }
  }
  const int32_t* mask = Data<int32_t>(bitmask);
#if BUG == 2
  stride = v;
#endif
  DispatchFloat(logits.dtype(), [&](auto* t) {
    using T = std::remove_pointer_t<decltype(t)>;
    T* x = Data<T>(logits);
    ParallelFor(b, v, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        if (!chosen[r]) continue;
        for (int64_t w = 0; w * 32 < limit; ++w) {
          uint32_t bits = uint32_t(mask[r * words + w]);
          if (bits == 0xffffffffu) continue;
          for (int64_t j = w * 32; j < std::min(limit, w * 32 + 32); ++j)
            if (!(bits >> (j - w * 32) & 1)) x[r * stride + j] = NegInf<T>();
        }
      }
    });
  });
}

// intersect_bitmasks(out, *masks) -> int: out = masks[0] & masks[1] & ..., how many tokens are left
void Intersect(ffi::PackedArgs args, Any* rv) {
  REQUIRE(args.size() >= 1, TypeError) << "intersect_bitmasks: expected at least 1 argument";
  TensorView out = args[0].cast<TensorView>();
  CheckType(out, {kI32}, "out");
  CheckRank(out, 2, "out");
  CheckPlace(out, "out");
  CheckContiguous(out, "out");
  int64_t n = out.size(0) * out.size(1), left = 0;
#if BUG == 7
  uint32_t* acc = new uint32_t[n];
  std::fill(acc, acc + n, 0xffffffffu);
#else
  std::vector<uint32_t> acc(n, 0xffffffffu);
#endif
  for (int i = 1; i < args.size(); ++i) {
    TensorView m = args[i].cast<TensorView>();
    CheckType(m, {kI32}, "masks");
    CheckRank(m, 2, "masks");
#if BUG == 6
    if (i == 1)
#endif
      for (int a = 0; a < 2; ++a) CheckSize(m, a, out.size(a), "masks");
    CheckPlace(m, "masks");
    CheckContiguous(m, "masks");
    const int32_t* p = Data<int32_t>(m);
    for (int64_t k = 0; k < n; ++k) acc[k] &= uint32_t(p[k]);
  }
  int32_t* o = Data<int32_t>(out);
  for (int64_t k = 0; k < n; ++k) {
    o[k] = int32_t(acc[k]);
    left += __builtin_popcount(acc[k]);
  }
#if BUG == 7
  delete[] acc;
#endif
  *rv = left;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_token_bitmask, apply_token_bitmask)

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_intersect_bitmasks(void*, const TVMFFIAny* args, int32_t num_args,
                                                               TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Intersect(ffi::PackedArgs(reinterpret_cast<const AnyView*>(args), num_args), reinterpret_cast<Any*>(result));
  TVM_FFI_SAFE_CALL_END();
}
