// SPDX-License-Identifier: Apache-2.0
static double number(const ffi::Any& v, const char* what) {
  NEED(v.type_index() == ffi::TypeIndex::kTVMFFIFloat || v.type_index() == ffi::TypeIndex::kTVMFFIInt, TypeError)
      << what << " must return a number, not " << v.GetTypeKey();
  return v.cast<double>();
}

// out[i] = f(x[i]), in order; out is written when all calls of f are over.
static void map_values(ffi::TensorView x, ffi::Function f, ffi::TensorView out) {
  View vx = view(x, "x", {F64}, 1, kStrided);
  NEED(f.defined(), TypeError) << "f must be a function, not None";
  View vo = view(out, "out", {F64}, 1);
  NEED(vo.n == vx.n, ValueError) << "out must have " << vx.n << " elements";
  std::vector<double> y(vx.n);
  for (int64_t i = 0; i < vx.n; i++) y[i] = number(f(get<double>(vx.at(i * vx.stride[0]))), "f");
  for (int64_t i = 0; i < vx.n; i++) put(vo.at(i), y[i]);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_values, map_values);

// f(...f(f(start, x[0]), x[1])..., x[n-1]); without a start, the first element is it.
static double fold(ffi::TensorView x, ffi::Function f, ffi::Optional<double> start) {
  View vx = view(x, "x", {F64}, 1);
  NEED(f.defined(), TypeError) << "f must be a function, not None";
  NEED(start.has_value() || vx.n > 0, ValueError) << "nothing to fold: no elements, and no start";
  double v = start.has_value() ? *start : get<double>(vx.at(0));
  for (int64_t i = start.has_value() ? 0 : 1; i < vx.n; i++) {
    v = number(f(v, get<double>(vx.at(i))), "f");
    NEED(!std::isnan(v), ValueError) << "f returned NaN for element " << i;
  }
  return v;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fold, fold);

// What f makes of a copy of x, or, without f, the copy.
static ffi::Tensor transform(ffi::TensorView x, ffi::Optional<ffi::Function> f) {
  View vx = view(x, "x", {F32}, 1);
  ffi::Tensor y = alloc(vx.shape, F32);
  View vy = view(y, "y", {F32}, 1);
  if (vx.n > 0) std::memcpy(vy.p, vx.p, vx.n * 4);
  if (!f.has_value()) return y;
  ffi::Any r = (*f)(y);
  auto t = r.try_cast<ffi::Tensor>();
  NEED(t.has_value() && t->defined(), TypeError) << "f must return a tensor, not " << r.GetTypeKey();
  View vt = view(*t, "the result of f", {F32}, 1);
  NEED(vt.n == vx.n, ValueError) << "f must return " << vx.n << " elements";
  ffi::Tensor z = alloc(vx.shape, F32);
  View vz = view(z, "z", {F32}, 1);
  if (vx.n > 0) std::memcpy(vz.p, vt.p, vx.n * 4);
  return z;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(transform, transform);
