// SPDX-License-Identifier: Apache-2.0
// Symmetric int8 quantization with a scale for each row (dynamic activations, per token).
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;
using tvm::ffi::Tuple;

Tuple<Tensor, Tensor> quantize_rows(TensorView x, int64_t bits) {
  TVM_FFI_CHECK(x.ndim() == 2, ValueError) << "x must be 2D, got " << x.ndim() << "D";
  TVM_FFI_CHECK(set::on_cpu(x), ValueError) << "x must be a CPU tensor";
  TVM_FFI_CHECK(set::aligned(x), ValueError) << "x is misaligned";
  TVM_FFI_CHECK(bits >= 2 && bits <= 8, ValueError) << "bits must be in [2, 8], got " << bits;
  const int64_t rows = x.shape()[0], cols = x.shape()[1];
  const std::vector<int64_t> step = set::strides_of(x);
  const double top = (1 << (bits - 1)) - 1;

  Tensor q = set::empty({rows, cols}, DLDataType{kDLInt, 8, 1});
  Tensor scale = set::empty({rows}, DLDataType{kDLFloat, 32, 1});
  bool known = set::for_float(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T* in = set::ptr<T>(x);
    for (int64_t r = 0; r < rows; ++r) {
      double amax = 0;
      for (int64_t c = 0; c < cols; ++c) {
        double v = double(in[r * step[0] + c * step[1]]);
        TVM_FFI_CHECK(std::isfinite(v), ValueError) << "row " << r << " is not finite";
        amax = std::max(amax, std::fabs(v));
      }
      int8_t* to = set::ptr<int8_t>(q) + r * cols;
      for (int64_t c = 0; c < cols; ++c) {
        // One rounding before nearbyint, so that ties are those of the exact quotient.
        double v = double(in[r * step[0] + c * step[1]]);
        to[c] = amax == 0 ? 0 : static_cast<int8_t>(std::nearbyint(v * top / amax));
      }
      set::ptr<float>(scale)[r] = static_cast<float>(amax / top);
    }
  });
  TVM_FFI_CHECK(known, TypeError) << "x must be float32, float16 or bfloat16";
  return Tuple<Tensor, Tensor>(q, scale);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize_rows, quantize_rows);
