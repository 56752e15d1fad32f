// SPDX-License-Identifier: Apache-2.0
// Functions that are returned, and what they keep.
Function Affine(Tensor bias, double factor) {
  View b = view(bias, "bias", {F32}, 1);
  REQUIRE(ValueError, factor >= -4 && factor <= 4) << "factor must be from -4 to 4";
  return Function::FromTyped([bias, factor](TensorView x) -> Tensor {
    View v = view(x, "x", {F32}, 1), b = view(bias, "bias", {F32}, 1);
    same_shape(v, b, "x and bias");
    Tensor out = alloc(v.shape, F32);
    for (int64_t i = 0; i < v.numel; ++i) data<float>(out)[i] = float(v.as<float>()[i] * factor + b.as<float>()[i]);
    return out;
  });
}
// each call gives the next number
Function Counter(int64_t start, int64_t step) {
  REQUIRE(ValueError, start >= -1000 && start <= 1000) << "start must be from -1000 to 1000";
  REQUIRE(ValueError, step >= 1 && step <= 10) << "step must be from 1 to 10";
  auto next = std::make_shared<std::atomic<int64_t>>(start);
  return Function::FromTyped([next, step]() -> int64_t { return next->fetch_add(step); });
}
// f(g(x)), at once
double Compose(Function f, Optional<Function> g, double x) {
  REQUIRE(TypeError, f.defined()) << "f must be a function";
  return to_float(f(g.has_value() ? to_float(g.value()(x), "what g returned") : x), "what f returned");
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(affine, Affine);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(counter, Counter);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(compose, Compose);
