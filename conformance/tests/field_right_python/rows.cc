// SPDX-License-Identifier: Apache-2.0
static std::vector<int64_t> indexes(const View& vi, int64_t n) {
  std::vector<int64_t> at(vi.n);
  for (int64_t k = 0; k < vi.n; k++) {
    at[k] = load_int(vi.dt, vi.at(k));
    NEED(at[k] >= 0 && at[k] < n, IndexError) << "index " << at[k] << " is not within [0, " << n << ")";
  }
  return at;
}

// y = x[i]
static ffi::Tensor take_rows(ffi::TensorView x, ffi::TensorView i) {
  View vx = view(x, "x", {F32, BF16, U8}, 2, kRows);
  View vi = view(i, "i", {I32, I64}, 1);
  auto at = indexes(vi, vx.shape[0]);
  int64_t d = vx.shape[1];
  ffi::Tensor y = alloc({vi.n, d}, vx.dt);
  char* to = static_cast<char*>(y.data_ptr()) + y.byte_offset();
  if (vx.n > 0)
    for (int64_t k = 0; k < vi.n; k++) std::memcpy(to + k * d * vx.item, vx.at(at[k] * vx.stride[0]), d * vx.item);
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(take_rows, take_rows);

// x[i] = values, or x[i] += values; rows that are named several times are written in order.
static void put_rows(ffi::TensorView x, ffi::TensorView i, ffi::TensorView values, ffi::String mode) {
  View vx = view(x, "x", {F32, F64}, 2);
  View vi = view(i, "i", {I32, I64}, 1);
  View vv = view(values, "values", {vx.dt}, 2, kRows);
  NEED(vv.shape[0] == vi.n && vv.shape[1] == vx.shape[1], ValueError) << "values must have the shape (len(i), x.shape[1])";
  NEED(mode == "set" || mode == "add", ValueError) << "mode must be set or add";
  auto at = indexes(vi, vx.shape[0]);
  if (vx.n == 0) return;
  for (int64_t k = 0; k < vi.n; k++)
    for (int64_t j = 0; j < vx.shape[1]; j++) {
      char* to = vx.at(at[k] * vx.shape[1] + j);
      double v = load(vv.dt, vv.at(k * vv.stride[0] + j));
      store(vx.dt, to, mode == "set" ? v : load(vx.dt, to) + v);
    }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(put_rows, put_rows);
