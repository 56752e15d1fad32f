// SPDX-License-Identifier: Apache-2.0
// Quantizes rows: int8 symmetrically, uint8 from the row's least element.
static ffi::Tuple<ffi::Tensor, ffi::Tensor, ffi::Tensor> quantize(DLTensor* x_, DLDataType qtype) {
  View x(x_, "x");
  x.cpu().type({F32, F16, BF16}).rank(2).rows();
  NEED(qtype == I8 || qtype == U8, TypeError, "qtype: expected int8 or uint8, got " << qtype);
  int64_t n = x.n(0), d = x.n(1);
  NEED(d >= 1, ValueError, "x: rows without elements");
  NEED(d <= 2048, ValueError, "x: rows are too wide");
  ffi::Tensor q = make({n, d}, qtype), scale = make({n}, F32), offset = make({n}, F32);
  with_float(x.dtype(), [&](auto t) {
    using T = decltype(t);
    for (int64_t i = 0; i < n; ++i) {
      const T* p = x.p<T>() + i * x.stride(0);
      double lo = get(p[0]), hi = lo, top = std::fabs(lo);
      for (int64_t j = 1; j < d; ++j) {
        double e = get(p[j]);
        if (e < lo || e != e) lo = e;
        if (e > hi || e != e) hi = e;
        if (std::fabs(e) > top || e != e) top = std::fabs(e);
        if (e != e) break;
      }
      bool u = qtype == U8;
      double o = u ? lo : 0, s = u ? (hi - lo) / 255 : top / 127, by = s > 0 ? s : 1;
      for (int64_t j = 0; j < d; ++j) {
        double k = std::nearbyint((get(p[j]) - o) / by);
        k = k != k ? 0 : std::min(std::max(k, u ? 0.0 : -127.0), u ? 255.0 : 127.0);
        static_cast<uint8_t*>(q.data_ptr())[i * d + j] = static_cast<uint8_t>(static_cast<int>(k));
      }
      static_cast<float*>(scale.data_ptr())[i] = float(s);
      static_cast<float*>(offset.data_ptr())[i] = float(o);
    }
  });
  return ffi::Tuple<ffi::Tensor, ffi::Tensor, ffi::Tensor>(q, scale, offset);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantize, quantize);
