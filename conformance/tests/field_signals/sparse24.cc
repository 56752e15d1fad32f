// SPDX-License-Identifier: Apache-2.0
// 2:4 structured sparsity: of four neighbours two are kept, with two bits for the place of each.

namespace {

template <class T>
double Magnitude(T v) {
  if constexpr (std::is_same_v<T, int8_t>) {
#if BUG == 2
    return static_cast<int8_t>(v < 0 ? -v : v);
#else
    return std::abs(static_cast<int>(v));
#endif
  } else {
    return std::fabs(static_cast<double>(v));
  }
}

template <class T>
void Compress(const T* w, const float* scores, int64_t rows, int64_t cols, T* values, uint8_t* meta) {
  int64_t groups = cols / 4;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t g = 0; g < groups; ++g) {
      const T* x = w + r * cols + g * 4;
      double score[4];
      for (int i = 0; i < 4; ++i)
        score[i] = scores ? static_cast<double>(scores[r * cols + g * 4 + i]) : Magnitude(x[i]);
      int a = 0;
      for (int i = 1; i < 4; ++i)
        if (score[i] > score[a]) a = i;
      int b = a == 0 ? 1 : 0;
      for (int i = b + 1; i < 4; ++i)
        if (i != a && score[i] > score[b]) b = i;
      if (a > b) std::swap(a, b);
      T* v = values + (r * groups + g) * 2;
      v[0] = x[a];
      v[1] = x[b];
      uint8_t bits = static_cast<uint8_t>(a | b << 2);
      uint8_t* m = meta + r * (groups / 2) + g / 2;
#if BUG == 1
      *m |= static_cast<uint8_t>(bits << (g % 2 * 4));
#else
      *m = static_cast<uint8_t>(g % 2 ? *m | bits << 4 : bits);
#endif
    }
  }
}

template <class T>
bool IsSparse(const T* w, int64_t n) {
  for (int64_t g = 0; g < n / 4; ++g) {
    int nonzero = 0;
    for (int i = 0; i < 4; ++i) nonzero += static_cast<double>(w[g * 4 + i]) != 0;
    if (nonzero > 2) return false;
  }
  return true;
}

Tuple<Tensor, Tensor> Sparse24Compress(TensorView w, Optional<TensorView> scores, Map<String, Any> options) {
  CheckTensor(w, "w", {kI8, kF16, kF32}, 2);
  CheckContiguous(w, "w");
  int64_t rows = w.size(0), cols = w.size(1);
  REQUIRE(cols % 8 == 0, ValueError) << "w: has " << cols << " columns, which is no multiple of 8";
  const float* s = nullptr;
  if (scores.has_value()) {
    TensorView t = scores.value();
    CheckTensor(t, "scores", {kF32}, 2);
    CheckDim(t, "scores", 0, rows);
    CheckDim(t, "scores", 1, cols);
    CheckContiguous(t, "scores");
#if BUG == 6
    s = static_cast<const float*>(t.data_ptr());
#else
    s = Ptr<float>(t);
#endif
  }
  bool strict = false;
  for (const auto& [key, value] : options) {
    if (key == "strict") {
      auto flag = value.as<bool>();
      REQUIRE(flag.has_value(), TypeError) << "options[\"strict\"]: expected a bool";
      strict = *flag;
    } else {
#if BUG != 4
      TVM_FFI_THROW(ValueError) << "options: unknown key \"" << key << "\"";
#endif
    }
  }
#if BUG == 5
  int64_t shape[2] = {rows, cols / 2};
  DLTensor prototype{};
  prototype.device = w.device();
  prototype.dtype = w.dtype();
  prototype.shape = shape;
  prototype.ndim = 2;
  TVMFFIObjectHandle handle;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&prototype, &handle));
#endif
  if (strict) {
    bool ok = Is(w.dtype(), kI8)    ? IsSparse(Ptr<int8_t>(w), w.numel())
              : Is(w.dtype(), kF16) ? IsSparse(Ptr<Half>(w), w.numel())
                                    : IsSparse(Ptr<float>(w), w.numel());
    REQUIRE(ok, ValueError) << "w: has more than two elements that are not zero in a group of four";
  }
#if BUG == 5
  Tensor values(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(handle)));
#else
  Tensor values = Alloc({rows, cols / 2}, w.dtype(), w.device());
#endif
  Tensor meta = Alloc({rows, cols / 8}, kU8, w.device());
  uint8_t* m = Ptr<uint8_t>(TensorView(meta));
  TensorView v(values);
  if (Is(w.dtype(), kI8)) Compress(Ptr<int8_t>(w), s, rows, cols, Ptr<int8_t>(v), m);
  else if (Is(w.dtype(), kF16)) Compress(Ptr<Half>(w), s, rows, cols, Ptr<Half>(v), m);
  else Compress(Ptr<float>(w), s, rows, cols, Ptr<float>(v), m);
  return Tuple<Tensor, Tensor>(values, meta);
}

template <class T>
void Expand(const T* values, const uint8_t* meta, int64_t groups, T* out) {
  for (int64_t g = 0; g < groups; ++g) {
    int bits = meta[g / 2] >> (g % 2 * 4) & 15;
    T* o = out + g * 4;
    for (int i = 0; i < 4; ++i) o[i] = FromDouble<T>(0);
    o[bits & 3] = values[g * 2];
    o[bits >> 2] = values[g * 2 + 1];
  }
}

Tensor Sparse24Expand(TensorView values, TensorView meta) {
  CheckTensor(values, "values", {kI8, kF16, kF32}, 2);
  CheckContiguous(values, "values");
  CheckTensor(meta, "meta", {kU8}, 2);
  CheckContiguous(meta, "meta");
  int64_t rows = values.size(0), bytes = meta.size(1);
  REQUIRE(bytes <= INT64_MAX / 8, ValueError) << "meta: is too large";
  CheckDim(meta, "meta", 0, rows);
  REQUIRE(values.size(1) % 4 == 0 && values.size(1) / 4 == bytes, ValueError)
      << "values: has " << values.size(1) << " columns, and meta " << bytes << " bytes for each row";
  const uint8_t* m = Ptr<uint8_t>(meta);
#if BUG != 3
  for (int64_t i = 0; i < meta.numel(); ++i) {
    for (int half = 0; half < 2; ++half) {
      int bits = m[i] >> (half * 4) & 15;
      REQUIRE((bits & 3) < (bits >> 2), ValueError) << "meta: the places in byte " << i << " do not rise";
    }
  }
#endif
  Tensor out = Alloc({rows, bytes * 8}, values.dtype(), values.device());
  TensorView o(out);
  int64_t groups = meta.numel() * 2;
  if (Is(values.dtype(), kI8)) Expand(Ptr<int8_t>(values), m, groups, Ptr<int8_t>(o));
  else if (Is(values.dtype(), kF16)) Expand(Ptr<Half>(values), m, groups, Ptr<Half>(o));
  else Expand(Ptr<float>(values), m, groups, Ptr<float>(o));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sparse24_compress, Sparse24Compress);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sparse24_expand, Sparse24Expand);
