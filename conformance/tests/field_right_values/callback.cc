// SPDX-License-Identifier: Apache-2.0
// Callbacks: of numbers, of tensors, left out.
void MapValues(TensorView x, Optional<Function> f, TensorView y) {
  View a = view(x, "x", {F64}, 1), b = view(y, "y", {F64}, 1);
  same_shape(a, b, "x and y");
  std::vector<double> values(a.as<double>(), a.as<double>() + a.numel);
  if (f.has_value())
    for (double& v : values) v = to_float(f.value()(v), "what f returned");
  std::copy(values.begin(), values.end(), b.as<double>());
}
// a callback for each row, which gets a copy of it and returns a row
Tensor ApplyRows(TensorView x, Function f) {
  REQUIRE(TypeError, f.defined()) << "f must be a function";
  View v = view(x, "x", {F32, F64}, 2, kRows);
  int64_t width = v.n(1), bytes = width * v.dtype.bits / 8;
  Tensor out = alloc({v.n(0), width}, v.dtype);
  for (int64_t i = 0; i < v.n(0); ++i) {
    Tensor row = alloc({width}, v.dtype);
    if (bytes) std::memcpy(data<char>(row), v.data + i * v.strides[0] * (v.dtype.bits / 8), size_t(bytes));
    Any got = f(row);
    auto back = got.try_cast<Tensor>();
    REQUIRE(TypeError, back.has_value()) << "f must return a tensor";
    View r = view(*back, "what f returned", {v.dtype}, 1);
    REQUIRE(ValueError, r.n(0) == width) << "what f returned has another length";
    if (bytes) std::memcpy(data<char>(out) + i * bytes, r.data, size_t(bytes));
  }
  return out;
}
int64_t Reduce(Array<int64_t> values, int64_t start, Function f) {
  REQUIRE(TypeError, f.defined()) << "f must be a function";
  REQUIRE(ValueError, start >= -1000 && start <= 1000) << "start must be from -1000 to 1000";
  for (int64_t v : values) REQUIRE(ValueError, v >= -1000 && v <= 1000) << "values must be from -1000 to 1000";
  int64_t all = start;
  for (int64_t v : values) all = to_int(f(all, v), "what f returned");
  return all;
}
Tensor Fill(Shape s, Function f) {
  REQUIRE(TypeError, f.defined()) << "f must be a function";
  int64_t n = 1;
  for (int64_t e : s) REQUIRE(ValueError, e >= 0 && e <= 8) << "extents must be from 0 to 8";
  for (int64_t e : s) {
    n *= e;
    REQUIRE(ValueError, n <= 4096) << "too large";
  }
  Tensor out = alloc({n}, F32);
  for (int64_t i = 0; i < n; ++i) data<float>(out)[i] = float(to_float(f(i), "what f returned"));
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_values, MapValues);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_rows, ApplyRows);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce, Reduce);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, Fill);
