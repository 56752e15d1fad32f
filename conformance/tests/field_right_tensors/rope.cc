// SPDX-License-Identifier: Apache-2.0
// Rotates queries, and keys if there are any, in place.
static void rope(DLTensor* q_, ffi::Optional<ffi::Tensor> k_, DLTensor* pos_, ffi::TensorView cos_, ffi::TensorView sin_, bool interleaved) {
  View q(q_, "q"), pos(pos_, "pos"), c(cos_, "cosines"), s(sin_, "sines"), k;
  if (k_) k = View(*k_, "k");
  q.cpu().type({F32, F16, BF16}).rank(3).rows();
  int64_t t = q.n(0), d = q.n(2) / 2;
  NEED(q.n(2) % 2 == 0, ValueError, "q: the last extent must be even");
  if (k) k.cpu().same_type(q).rank(3).extent(0, t).extent(2, 2 * d).rows();
  pos.cpu().type({I32, I64}).rank(1).extent(0, t).contiguous();
  c.cpu().type({F32}).rank(2).extent(1, d).contiguous();
  int64_t p = c.n(0);
  s.cpu().type({F32}).rank(2).extent(0, p).extent(1, d).contiguous();
  with_index(pos.dtype(), [&](auto i0) {
    using I = decltype(i0);
    const I* at = pos.p<I>();
    for (int64_t i = 0; i < t; ++i) NEED(at[i] >= 0 && at[i] < p, IndexError, "pos: " << at[i] << " is not below " << p);
    with_float(q.dtype(), [&](auto t0) {
      using T = decltype(t0);
      for (const View* x : {&q, &k}) {
        if (!*x) continue;
        for (int64_t i = 0; i < t; ++i)
          for (int64_t h = 0; h < x->n(1); ++h) {
            T* row = x->p<T>() + i * x->stride(0) + h * x->stride(1);
            for (int64_t j = 0; j < d; ++j) {
              T &a = row[interleaved ? 2 * j : j], &b = row[interleaved ? 2 * j + 1 : d + j];
              double u = get(a), v = get(b), cj = c.p<float>()[at[i] * d + j], sj = s.p<float>()[at[i] * d + j];
              a = put<T>(u * cj - v * sj);
              b = put<T>(u * sj + v * cj);
            }
          }
      }
    });
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rope, rope);
