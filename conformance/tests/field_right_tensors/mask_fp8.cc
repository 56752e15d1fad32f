// SPDX-License-Identifier: Apache-2.0
// A value where a mask holds, broadcast; and floats of 8 bits, saturated at 448.
static ffi::Tensor masked_fill(DLTensor* x_, ffi::TensorView mask_, double value) {
  View x(x_, "x"), mask(mask_, "mask");
  x.cpu().type({F32, F16}).rank(2).rows();
  mask.cpu().type({BOOL}).rank(2).contiguous();
  int64_t m = x.n(0), n = x.n(1);
  NEED((mask.n(0) == m || mask.n(0) == 1) && (mask.n(1) == n || mask.n(1) == 1), ValueError, "mask: does not fit x");
  int64_t s0 = mask.n(0) == 1 ? 0 : mask.n(1), s1 = mask.n(1) == 1 ? 0 : 1;
  ffi::Tensor out = make({m, n}, x.dtype());
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    T v = put<T>(value);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        static_cast<T*>(out.data_ptr())[i * n + j] = mask.p<uint8_t>()[i * s0 + j * s1] ? v : x.p<T>()[i * x.stride(0) + j];
  });
  return out;
}

static void to_fp8(ffi::TensorView x_, ffi::Optional<ffi::Tensor> scale_, ffi::TensorView out_) {
  View x(x_, "x"), out(out_, "out"), scale;
  if (scale_) scale = View(*scale_, "scale");
  x.cpu().type({F32, BF16}).contiguous();
  if (scale) scale.cpu().type({F32}).rank(0);
  out.cpu().type({E4M3, E5M2}).rank(x.nd()).contiguous();
  for (int i = 0; i < x.nd(); ++i) out.extent(i, x.n(i));
  double s = scale ? double(*scale.p<float>()) : 1;
  bool e4 = out.dtype() == E4M3;
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    for (int64_t i = 0, n = x.numel(); i < n; ++i) {
      double y = get(x.p<T>()[i]) * s;
      y = y < -448 ? -448 : y > 448 ? 448 : y;
      out.p<uint8_t>()[i] = static_cast<uint8_t>(e4 ? encode(y, 4, 3, 0x7e, 0x7f) : encode(y, 5, 2, 0x7c, 0x7e));
    }
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(masked_fill, masked_fill);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(to_fp8, to_fp8);
