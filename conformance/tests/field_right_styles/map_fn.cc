// SPDX-License-Identifier: Apache-2.0
// y[i] = f(i, x[i]) by a callback, front to back. If the callback fails, y is written up to there,
// and the error is passed on. y may be x.
void map_fn(DLTensor* x, tvm::ffi::Function f, DLTensor* y) {
  TVM_FFI_CHECK(x != nullptr && y != nullptr, ValueError) << "null tensor";
  TVM_FFI_CHECK(f.defined(), TypeError) << "f is None";
  for (DLTensor* t : {x, y}) {
    TVM_FFI_CHECK(t->ndim == 1, ValueError) << "expected a vector, got " << t->ndim << " dims";
    TVM_FFI_CHECK(x4::holds<double>(t->dtype), TypeError) << "expected float64";
    x4::plain(t, t == x ? "x" : "y");
  }
  TVM_FFI_CHECK(x->shape[0] == y->shape[0], ValueError) << "x and y differ in length";
  const int64_t n = x->shape[0];
  const double* from = x4::first<double>(x);
  double* to = x4::first<double>(y);
  for (int64_t i = 0; i < n; ++i) {
    tvm::ffi::Any v = f(i, from[i]);
    auto d = v.try_cast<double>();
    TVM_FFI_CHECK(d.has_value(), TypeError) << "f returned " << v.GetTypeKey() << ", not a float";
    to[i] = *d;
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_fn, map_fn);
