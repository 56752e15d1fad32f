// SPDX-License-Identifier: Apache-2.0
// Running sum over the last dimension, as jax.lax.cumsum and thrust's exclusive_scan have it.
namespace {

template <class T, class Acc>
void scan_rows(const T* x, T* y, int64_t rows, int64_t n, bool exclusive, bool reverse) {
  const int64_t step = reverse ? -1 : 1;
  for (int64_t r = 0; r < rows; ++r) {
    int64_t i = r * n + (reverse ? n - 1 : 0);
    Acc carry = 0;
    for (int64_t left = n; left > 0; --left, i += step) {
      const Acc v = static_cast<Acc>(x[i]);  // read first: y may be x
      if (exclusive) y[i] = static_cast<T>(carry);
      carry += v;
      if (!exclusive) y[i] = static_cast<T>(carry);
    }
  }
}

void scan(tvm::ffi::TensorView x, tvm::ffi::TensorView y, bool exclusive, bool reverse) {
  TVM_FFI_CHECK(x.ndim() >= 1, ValueError) << "a scalar has nothing to scan";
  set::need_dense(x, "x", -1);
  set::need_dense(y, "y", -1);
  TVM_FFI_CHECK(set::same_shape(x, y), ValueError) << "x and y must have the same shape";
  TVM_FFI_CHECK(set::same(x.dtype(), y.dtype()), TypeError) << "x and y must have the same dtype";
  const int64_t n = x.shape()[x.ndim() - 1], rows = n == 0 ? 0 : x.numel() / n;
  const DLDataType t = x.dtype();
#define RUN(T, Acc) scan_rows<T, Acc>(set::ptr<T>(x), set::ptr<T>(y), rows, n, exclusive, reverse)
  if (set::is_f32(t)) {
    RUN(float, double);
  } else if (set::is_f64(t)) {
    RUN(double, long double);
  } else if (set::is_i32(t)) {
    RUN(int32_t, uint32_t);  // sums of integers wrap
  } else if (set::is_i64(t)) {
    RUN(int64_t, uint64_t);
  } else if (set::is(t, kDLUInt, 8)) {
    RUN(uint8_t, uint32_t);
  } else {
    TVM_FFI_THROW(TypeError) << "scan: dtype " << tvm::ffi::DLDataTypeToString(t);
  }
#undef RUN
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scan, scan);
