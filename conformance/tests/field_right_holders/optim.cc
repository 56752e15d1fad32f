// SPDX-License-Identifier: Apache-2.0
// a step of gradient descent over named parameters; the rate may be changed by a schedule
static void same_shape(const Tensor& a, const Tensor& b, const char* name) {
  REQUIRE(dl(a)->ndim == dl(b)->ndim, ValueError, name << ": ranks differ");
  for (int i = 0; i < dl(a)->ndim; ++i) REQUIRE(a.size(i) == b.size(i), ValueError, name << ": shapes differ");
  REQUIRE(same(a.dtype(), b.dtype()), TypeError, name << ": data types differ");
}
static Optional<Tensor> tensor_of(const Map<String, Any>& m, const char* key) {
  Any v = entry(m, String(key));
  if (v == nullptr) return std::nullopt;
  auto t = v.as<Tensor>();
  REQUIRE(t.has_value(), TypeError, key << " must be a tensor");
  return *t;
}
int64_t sgd_step(Map<String, Any> params, Map<String, Any> grads, double rate, Optional<ffi::Function> schedule) {
  for (const auto* m : {&params, &grads})
    for (const auto& kv : *m) REQUIRE(kv.first == "w" || kv.first == "b", ValueError, "unknown parameter " << kv.first);
  REQUIRE(rate >= 0 && rate <= 1, ValueError, "rate must lie in [0, 1]");
  Optional<Tensor> w = tensor_of(params, "w"), dw = tensor_of(grads, "w"), b = tensor_of(params, "b"), db = tensor_of(grads, "b");
  REQUIRE(w.has_value() && dw.has_value(), TypeError, "w is missing");
  REQUIRE(b.has_value() == db.has_value(), ValueError, "b must be in both or in none");
  check(dl(*w), "params.w", {F32, F64}, 2);
  check(dl(*dw), "grads.w", {F32, F64}, 2);
  same_shape(*w, *dw, "w");
  if (b.has_value()) {
    check(dl(*b), "params.b", {F32, F64}, 1);
    check(dl(*db), "grads.b", {F32, F64}, 1);
    same_shape(*b, *db, "b");
    REQUIRE((*b).size(0) == (*w).size(1), ValueError, "b must have an element for each column of w");
    REQUIRE(same((*b).dtype(), (*w).dtype()), TypeError, "b must be of the type of w");
  }
  if (schedule.has_value()) rate = (*schedule)(rate).cast<double>();
  REQUIRE(std::isfinite(rate), ValueError, "the schedule must give a finite rate");
  int64_t n = count(dl(*w));
  threads(n, [&](int64_t i) { store(dl(*w), i, load(dl(*w), i) - rate * load(dl(*dw), i)); });
  if (!b.has_value()) return n;
  int64_t m = count(dl(*b));
  for (int64_t i = 0; i < m; ++i) store(dl(*b), i, load(dl(*b), i) - rate * load(dl(*db), i));
  return n + m;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd_step, sgd_step);
