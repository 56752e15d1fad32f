// SPDX-License-Identifier: Apache-2.0
// transpose2: of any data type, between any strides. gemm_nt: c = alpha * a @ b.T + beta * c. map_where: f of the elements that a mask has
void Transpose2(TensorView xt, TensorView yt) {
  std::vector<Code> types{I8, F16, F32, I64, BOOL};
  Arr x = Check(xt, "x", types, 2, STRIDED), y = Check(yt, "y", types, 2, STRIDED, true);
  SameType(y, x, "y");
  Shaped(y, "y", {x.shape[1], x.shape[0]});
  for (int64_t i = 0; i < x.shape[0]; ++i)
    for (int64_t j = 0; j < x.shape[1]; ++j) std::memcpy(y.at(j, i), x.at(i, j), x.item);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(transpose2, Transpose2);

void GemmNT(TensorView at, TensorView bt, double alpha, double beta, TensorView ct) {
  Arr a = Check(at, "a", {F32, F64}, 2, STRIDED), b = Check(bt, "b", {F32, F64}, 2, STRIDED), c = Check(ct, "c", {F32, F64}, 2, STRIDED, true);
  SameType(b, a, "b");
  SameType(c, a, "c");
  int64_t m = a.shape[0], n = b.shape[0], k = a.shape[1];
  Shaped(b, "b", {n, k});
  Shaped(c, "c", {m, n});
  NEED(alpha >= -8 && alpha <= 8, ValueError, "alpha is not within -8 and 8");
  NEED(beta >= -8 && beta <= 8, ValueError, "beta is not within -8 and 8");
#pragma omp parallel for num_threads(2) if (m * n > 4096)
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += Load(a.at(i, l), a.code) * Load(b.at(j, l), b.code);
      Store(c.at(i, j), c.code, alpha * sum + beta * Load(c.at(i, j), c.code));
    }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(gemm_nt, GemmNT);

int64_t MapWhere(TensorView xt, TensorView kt, ffi::Optional<ffi::Function> f, TensorView yt) {
  Arr x = Check(xt, "x", {F64}, 1, CONTIGUOUS), k = Check(kt, "keep", {BOOL}, 1, CONTIGUOUS), y = Check(yt, "y", {F64}, 1, CONTIGUOUS, true);
  int64_t n = x.shape[0], count = 0;
  Shaped(k, "keep", {n});
  Shaped(y, "y", {n});
  std::vector<double> out(n);
  for (int64_t i = 0; i < n; ++i) {
    if (!Get<uint8_t>(k.at(i))) continue;
    double v = Load(x.at(i), F64);
    ++count;
    out[i] = f.has_value() ? f.value()(v).cast<double>() : v;
    NEED(!std::isnan(out[i]) || std::isnan(v), ValueError, "f gave no number");
  }
  for (int64_t i = 0; i < n; ++i) Put(y.at(i), out[i]);
  return count;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_where, MapWhere);
