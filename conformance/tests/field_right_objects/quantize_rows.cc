// SPDX-License-Identifier: Apache-2.0
// quantize_rows(x, dtype) -> (q, scale, zero): by row, symmetric for int8 (zero is None), affine
// for uint8. q = round(x / scale) + zero, halves to even, cut to the range of the type.
namespace {

using tvm::ffi::Any;
using tvm::ffi::Optional;
using tvm::ffi::Tensor;
using tvm::ffi::Tuple;
using Result = Tuple<Tensor, Tensor, Optional<Tensor>>;

template <typename Q>
void Row(const float* x, int64_t n, float scale, int zero, Q* q) {
  constexpr int least = std::numeric_limits<Q>::min(), most = std::numeric_limits<Q>::max();
  for (int64_t i = 0; i < n; ++i) {
    const int value = static_cast<int>(std::nearbyint(x[i] / scale)) + zero;
    q[i] = static_cast<Q>(std::clamp(value, least, most));
  }
}

Result Quantize(DLTensor* x, DLDataType dtype) {
  const bool affine = kit::Same(dtype, kit::TypeOf<uint8_t>());
  if (!affine && !kit::Same(dtype, kit::TypeOf<int8_t>())) {
    TVM_FFI_THROW(ValueError) << "dtype must be int8 or uint8";
  }
  if (x == nullptr) TVM_FFI_THROW(TypeError) << "x must be a tensor";
  kit::Rank(*x, 2, "x");
  const float* from = kit::Cells<float>(*x, "x");
  kit::Dense(*x, "x");
  const int64_t m = x->shape[0], n = x->shape[1];
  for (int64_t i = 0; i < m * n; ++i) {
    if (!(std::fabs(from[i]) <= 1e30f)) TVM_FFI_THROW(ValueError) << "x has too large elements";
  }
  Tensor q = kit::NewTensor({m, n}, dtype);
  Tensor scales = kit::NewTensor({m}, kit::TypeOf<float>());
  Tensor zeros;
  if (affine) zeros = kit::NewTensor({m}, kit::TypeOf<int32_t>());
  for (int64_t r = 0; r < m; ++r, from += n) {
    float least = 0, most = 0;  // 0 is always in the range
    for (int64_t i = 0; i < n; ++i) {
      least = std::min(least, from[i]);
      most = std::max(most, from[i]);
    }
    float scale = affine ? (most - least) / 255.0f : std::max(-least, most) / 127.0f;
    if (scale < 1e-30f) scale = 1;
    static_cast<float*>(scales.data_ptr())[r] = scale;
    if (affine) {
      const int zero = static_cast<int>(std::nearbyint(-least / scale));
      static_cast<int32_t*>(zeros.data_ptr())[r] = zero;
      Row(from, n, scale, zero, static_cast<uint8_t*>(q.data_ptr()) + r * n);
    } else {
      Row(from, n, scale, 0, static_cast<int8_t*>(q.data_ptr()) + r * n);
    }
  }
  return Result(q, scales, affine ? Optional<Tensor>(zeros) : Optional<Tensor>());
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize_rows, Quantize);
