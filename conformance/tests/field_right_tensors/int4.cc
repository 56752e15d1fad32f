// SPDX-License-Identifier: Apache-2.0
// Two numbers of 4 bits in a byte, low half first: unpacked with scale and zero point, and packed.
static void unpack4(DLTensor* packed_, ffi::Optional<ffi::Tensor> scale_, ffi::Optional<int64_t> zero, bool is_signed, DLTensor* out_) {
  View packed(packed_, "packed"), out(out_, "out"), scale;
  if (scale_) scale = View(*scale_, "scale");
  packed.cpu().type({U8}).rank(2).rows();
  int64_t n = packed.n(0), m = packed.n(1);
  if (scale) scale.cpu().type({F32}).rank(1).extent(0, n);
  NEED(!zero || (*zero >= -8 && *zero <= 15), ValueError, "zero: expected -8 to 15");
  out.cpu().type({F32, F16, BF16}).rank(2).extent(0, n).extent(1, 2 * m).rows();
  with_float(out.dtype(), [&](auto t) {
    using T = decltype(t);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < 2 * m; ++j) {
        int v = packed.p<uint8_t>()[i * packed.stride(0) + j / 2] >> (j % 2 * 4) & 15;
        if (is_signed) v = (v ^ 8) - 8;
        double y = double(v - (zero ? *zero : 0));
        if (scale) y *= scale.p<float>()[i * scale.stride(0)];
        out.p<T>()[i * out.stride(0) + j] = put<T>(y);
      }
  });
}

static ffi::Tensor pack4(ffi::TensorView q_) {
  View q(q_, "q");
  q.cpu().type({I8}).rank(2).contiguous();
  NEED(q.n(1) % 2 == 0, ValueError, "q: expected an even number of columns");
  int64_t bytes = q.n(0) * (q.n(1) / 2);
  const int8_t* p = q.p<int8_t>();
  for (int64_t i = 0; i < 2 * bytes; ++i) NEED(p[i] >= -8 && p[i] <= 7, ValueError, "q: " << int(p[i]) << " needs more than 4 bits");
  ffi::Tensor out = make({q.n(0), q.n(1) / 2}, U8);
  for (int64_t i = 0; i < bytes; ++i)
    static_cast<uint8_t*>(out.data_ptr())[i] = static_cast<uint8_t>((p[2 * i] & 15) | (p[2 * i + 1] & 15) << 4);
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unpack4, unpack4);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pack4, pack4);
