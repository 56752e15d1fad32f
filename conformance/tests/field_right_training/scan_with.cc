// SPDX-License-Identifier: Apache-2.0
// jax.lax.scan for scalars: the caller's function combines the carry with each element in order.
using tvm::ffi::Function;
using tvm::ffi::TensorView;

static double scan_with(Function combine, double init, TensorView x, TensorView y) {
  if (!combine.defined()) TVM_FFI_THROW(TypeError) << "scan_with: combine must be a function";
  set::need_dense(x, "x", 1);
  set::need_dense(y, "y", 1);
  if (!set::is_f64(x.dtype()) || !set::is_f64(y.dtype())) {
    TVM_FFI_THROW(TypeError) << "scan_with: float64 only";
  }
  if (!set::same_shape(x, y)) TVM_FFI_THROW(ValueError) << "scan_with: x and y differ in length";
  const double* in = set::ptr<double>(x);
  std::vector<double> carries(static_cast<size_t>(x.shape()[0]));
  double carry = init;
  for (size_t i = 0; i < carries.size(); ++i) {
    carry = combine(carry, in[i]).cast<double>();
    if (std::isnan(carry)) TVM_FFI_THROW(ValueError) << "scan_with: NaN after element " << i;
    carries[i] = carry;
  }
  // Written at the end only: y stays as it was if the function fails half-way.
  std::copy(carries.begin(), carries.end(), set::ptr<double>(y));
  return carry;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scan_with, scan_with);
