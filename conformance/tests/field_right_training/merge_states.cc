// SPDX-License-Identifier: Apache-2.0
// Merges partial attention outputs by their log-sum-exp (base 2), as cascade attention needs it.
// merge_states allocates through the environment; merge_state_in_place updates (v, s).
using namespace tvm::ffi;

namespace {

void check(const TensorView& v, const TensorView& s, const TensorView& like) {
  set::need_dense(v, "v", 3);
  set::need_dense(s, "s", 2);
  if (!set::is_f32(s.dtype())) TVM_FFI_THROW(TypeError) << "s must be float32";
  if (!set::same(v.dtype(), like.dtype())) TVM_FFI_THROW(TypeError) << "v of different dtypes";
  if (!set::same_shape(v, like)) TVM_FFI_THROW(ValueError) << "v of different shapes";
  if (s.shape()[0] != v.shape()[0] || s.shape()[1] != v.shape()[1]) {
    TVM_FFI_THROW(ValueError) << "s must be (seq_len, num_heads)";
  }
}

// vo, so may be va, sa. Rows whose flag is false are left alone.
template <class T>
void merge(const TensorView& va, const TensorView& sa, const TensorView& vb, const TensorView& sb,
           T* vo, float* so, const uint8_t* flags) {
  const int64_t n = va.shape()[0], h = va.shape()[1], d = va.shape()[2];
  const T *a = set::ptr<T>(va), *b = set::ptr<T>(vb);
  for (int64_t i = 0; i < n * h; ++i) {
    if (flags != nullptr && !flags[i / h]) continue;
    const double x = set::ptr<float>(sa)[i], y = set::ptr<float>(sb)[i], m = std::max(x, y);
    const double wx = std::isinf(m) && m < 0 ? 0 : std::exp2(x - m);
    const double wy = std::isinf(m) && m < 0 ? 0 : std::exp2(y - m);
    const double sum = wx + wy;
    for (int64_t j = i * d; j < (i + 1) * d; ++j) {
      vo[j] = set::to<T>(sum == 0 ? 0.0 : (double(a[j]) * wx + double(b[j]) * wy) / sum);
    }
    so[i] = static_cast<float>(sum == 0 ? m : m + std::log2(sum));
  }
}

Tuple<Tensor, Tensor> merge_states(TensorView v_a, TensorView s_a, TensorView v_b, TensorView s_b) {
  check(v_a, s_a, v_a);
  check(v_b, s_b, v_a);
  Tensor v = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, v_a.shape(), v_a.dtype(), v_a.device());
  Tensor s = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, s_a.shape(), s_a.dtype(), s_a.device());
  if (!set::for_float(v.dtype(), [&](auto t) {
        using T = decltype(t);
        merge<T>(v_a, s_a, v_b, s_b, set::ptr<T>(v), set::ptr<float>(s), nullptr);
      })) {
    TVM_FFI_THROW(TypeError) << "v must be float32, float16 or bfloat16";
  }
  return Tuple<Tensor, Tensor>(v, s);
}

void merge_state_in_place(TensorView v, TensorView s, TensorView v_other, TensorView s_other,
                          Optional<TensorView> mask) {
  check(v, s, v);
  check(v_other, s_other, v);
  const uint8_t* flags = nullptr;
  if (mask.has_value()) {
    set::need_dense(*mask, "mask", 1);
    if (!set::is((*mask).dtype(), kDLBool, 8)) TVM_FFI_THROW(TypeError) << "mask must be bool";
    if ((*mask).shape()[0] != v.shape()[0]) TVM_FFI_THROW(ValueError) << "mask must be (seq_len)";
    flags = set::ptr<uint8_t>(*mask);
  }
  if (!set::for_float(v.dtype(), [&](auto t) {
        using T = decltype(t);
        merge<T>(v, s, v_other, s_other, set::ptr<T>(v), set::ptr<float>(s), flags);
      })) {
    TVM_FFI_THROW(TypeError) << "v must be float32, float16 or bfloat16";
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_states, merge_states);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_state_in_place, merge_state_in_place);
