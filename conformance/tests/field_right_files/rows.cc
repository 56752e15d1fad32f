// SPDX-License-Identifier: Apache-2.0
// take_rows: rows of a table, each times a scale. add_rows: adds rows into a table, in place.
std::vector<int64_t> Indexes(const Arr& i, int64_t n) {
  std::vector<int64_t> at(i.numel);
  for (int64_t k = 0; k < i.numel; ++k) {
    at[k] = LoadInt(i.at(k), i.code);
    NEED(at[k] >= 0 && at[k] < n, IndexError, "index " << at[k] << " is out of range: the table has " << n << " rows");
  }
  return at;
}
ffi::Tensor TakeRows(TensorView xt, TensorView it, ffi::Optional<ffi::Tensor> st) {
  Arr x = Check(xt, "x", {F16, F32}, 2, STRIDED), i = Check(it, "i", {I32, I64}, 1, STRIDED), s;
  int64_t d = x.shape[1];
  if (st.has_value()) {
    s = Check(st.value(), "scale", {F32}, 1, CONTIGUOUS);
    NEED(s.shape[0] == d || s.shape[0] == 1, ValueError, "scale must have one element, or one for each column");
  }
  auto at = Indexes(i, x.shape[0]);
  ffi::Tensor out = New({i.shape[0], d}, x.code);
  char* o = Data(out);
  for (int64_t r : at)
    for (int64_t c = 0; c < d; ++c, o += x.item) {
      if (!st.has_value()) std::memcpy(o, x.at(r, c), x.item);
      else Store(o, x.code, Load(x.at(r, c), x.code) * Load(s.at(s.shape[0] == 1 ? 0 : c), F32));
    }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(take_rows, TakeRows);

int64_t AddRows(TensorView yt, TensorView it, TensorView vt) {
  Arr y = Check(yt, "y", {F32, F64}, 2, ROWS, true), i = Check(it, "i", {I32, I64}, 1, CONTIGUOUS), v = Check(vt, "v", {F32, F64}, 2, ROWS);
  SameType(v, y, "v");
  int64_t d = y.shape[1], m = i.shape[0];
  Shaped(v, "v", {m, d});
  auto at = Indexes(i, y.shape[0]);
  std::vector<char> touched(y.shape[0]);
  std::vector<double> sum(y.numel);
  int64_t count = 0;
  for (int64_t k = 0; k < m; ++k) {
    int64_t r = at[k];
    if (!touched[r]) {
      touched[r] = 1;
      ++count;
      for (int64_t c = 0; c < d; ++c) sum[r * d + c] = Load(y.at(r, c), y.code);
    }
    for (int64_t c = 0; c < d; ++c) sum[r * d + c] += Load(v.at(k, c), v.code);
  }
  for (int64_t r = 0; r < y.shape[0]; ++r)
    for (int64_t c = 0; touched[r] && c < d; ++c) Store(y.at(r, c), y.code, sum[r * d + c]);
  return count;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_rows, AddRows);

// Indexes beyond the ends count as the ends.
void TakeClamped(TensorView xt, TensorView it, TensorView yt) {
  Arr x = Check(xt, "x", {F32, I32}, 1, CONTIGUOUS), i = Check(it, "i", {I32, I64}, 1, CONTIGUOUS), y = Check(yt, "y", {F32, I32}, 1, CONTIGUOUS, true);
  SameType(y, x, "y");
  int64_t n = x.shape[0];
  NEED(n >= 1, ValueError, "x is empty");
  Shaped(y, "y", i.shape);
  for (int64_t k = 0; k < i.shape[0]; ++k) std::memcpy(y.at(k), x.at(std::min(std::max<int64_t>(LoadInt(i.at(k), i.code), 0), n - 1)), 4);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(take_clamped, TakeClamped);
