// SPDX-License-Identifier: Apache-2.0
// callbacks that return tensors and texts
Tensor map_rows(Tensor x, ffi::Function f) {
  check(dl(x), "x", {F32, F16}, 2);
  REQUIRE(f != nullptr, TypeError, "f must be a function");
  int64_t m = x.size(0), n = x.size(1);
  Tensor y = alloc({m, n}, x.dtype());
  for (int64_t r = 0; r < m; ++r) {
    Tensor row = alloc({n}, x.dtype());
    for (int64_t i = 0; i < n; ++i) store(dl(row), i, load(dl(x), r * n + i));
    Tensor out = f(row).cast<Tensor>();
    check(dl(out), "what f returns", {x.dtype()}, 1);
    REQUIRE(out.size(0) == n, ValueError, "f must return a row of " << n << " elements");
    for (int64_t i = 0; i < n; ++i) store(dl(y), r * n + i, load(dl(out), i));
  }
  return y;
}
Array<String> labels(int64_t count, ffi::Function f) {
  REQUIRE(count >= 0 && count <= 100, ValueError, "count must lie in [0, 100]");
  REQUIRE(f != nullptr, TypeError, "f must be a function");
  Array<String> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(f(i).cast<String>());
  return out;
}
int64_t visit(Array<Tensor> xs, Optional<ffi::Function> seen) {
  int64_t total = 0, i = 0;
  for (const Tensor& x : xs) check(dl(x), "an element of xs", {F32, I32}, -1);
  for (const Tensor& x : xs) {
    total += x.numel();
    if (seen.has_value()) {
      Any r = (*seen)(i++, x.shape().size() == 0 ? String("scalar") : String("array"));
      REQUIRE(r == nullptr, TypeError, "seen must return None");
    }
  }
  return total;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(map_rows, map_rows);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(labels, labels);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(visit, visit);
