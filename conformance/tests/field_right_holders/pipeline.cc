// SPDX-License-Identifier: Apache-2.0
// callbacks in arrays and maps
void pipeline(Tensor x, Array<ffi::Function> stages, Tensor y) {
  check(dl(x), "x", {F64}, 1);
  check(dl(y), "y", {F64}, 1);
  REQUIRE(x.size(0) == y.size(0), ValueError, "x and y must be equally long");
  REQUIRE(stages.size() <= 8, ValueError, "up to 8 stages");
  for (const ffi::Function& f : stages) REQUIRE(f != nullptr, TypeError, "a stage must be a function");
  std::vector<double> v(data<double>(dl(x)), data<double>(dl(x)) + (x.size(0) ? x.size(0) : 0));
  for (const ffi::Function& f : stages)
    for (double& e : v) e = f(e).cast<double>();
  if (!v.empty()) std::memcpy(data<double>(dl(y)), v.data(), v.size() * sizeof(double));
}
double hooked_sum(Tensor x, Map<String, Any> hooks) {
  check(dl(x), "x", {F32}, 1);
  for (const auto& kv : hooks) REQUIRE(kv.first == "pre" || kv.first == "post", ValueError, "no hook " << kv.first);
  Any a = entry(hooks, String("pre")), b = entry(hooks, String("post"));
  auto post = b.as<ffi::Function>();
  REQUIRE(post.has_value() && *post != nullptr, TypeError, "post must be a function");
  REQUIRE(a == nullptr || a.as<ffi::Function>().has_value(), TypeError, "pre must be a function");
  double sum = 0;
  for (int64_t i = 0; i < x.size(0); ++i) {
    double v = load(dl(x), i);
    sum += a == nullptr ? v : a.cast<ffi::Function>()(v).cast<double>();
  }
  return (*post)(sum).cast<double>();
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pipeline, pipeline);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(hooked_sum, hooked_sum);
