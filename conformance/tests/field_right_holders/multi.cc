// SPDX-License-Identifier: Apache-2.0
// one operation over several tensors at a time: ys[i] = ys[i] + alphas[i] * xs[i] (+ biases[i])
void multi_axpy(Array<double> alphas, Array<Tensor> xs, Array<Optional<Tensor>> biases, Array<Tensor> ys, Optional<Tensor> norms) {
  size_t p = alphas.size();
  REQUIRE(xs.size() == p && biases.size() == p && ys.size() == p, ValueError, "alphas, xs, biases and ys must be equally long");
  DLDataType type = F32;
  for (size_t i = 0; i < p; ++i) {
    Tensor x = xs[i], y = ys[i];
    check(dl(x), "an element of xs", {F32, F64, BF16}, 1);
    if (i == 0) type = x.dtype();
    check(dl(x), "an element of xs", {type}, 1);
    check(dl(y), "an element of ys", {type}, 1);
    REQUIRE(x.size(0) == xs[0].size(0), ValueError, "xs must be equally long");
    REQUIRE(y.size(0) == x.size(0), ValueError, "ys[" << i << "] must be as long as xs[" << i << "]");
    REQUIRE(alphas[i] >= -16 && alphas[i] <= 16, ValueError, "alphas must lie in [-16, 16]");
    if (biases[i].has_value()) {
      Tensor b = *biases[i];
      check(dl(b), "an element of biases", {type}, 1);
      REQUIRE(b.size(0) == 1 || b.size(0) == x.size(0), ValueError, "biases[" << i << "] must have 1 element or " << x.size(0));
    }
  }
  if (norms.has_value()) {
    check(dl(*norms), "norms", {F64}, 1);
    REQUIRE((*norms).size(0) == static_cast<int64_t>(p), ValueError, "norms must have an element for each of xs");
  }
  for (size_t i = 0; i < p; ++i) {
    Tensor x = xs[i], y = ys[i];
    double norm = 0;
    int64_t n = x.size(0);
    for (int64_t k = 0; k < n; ++k) {
      double v = load(dl(x), k), b = 0;
      if (biases[i].has_value()) b = load(dl(*biases[i]), (*biases[i]).size(0) == 1 ? 0 : k);
      norm += std::fabs(v);
      store(dl(y), k, load(dl(y), k) + alphas[i] * v + b);
    }
    if (norms.has_value()) store(dl(*norms), static_cast<int64_t>(i), norm);
  }
}
// the sum of two numbers, of the elements of a tensor, or of any number of numbers
void total(ffi::PackedArgs args, Any* rv) {
  if (args.size() == 1) {
    if (auto t = args[0].try_cast<TensorView>()) {
      Raw raw(*t);
      check(raw, "x", {I32}, 1);
      int64_t sum = 0;
      for (int64_t i = 0; i < raw.shape[0]; ++i) sum += data<int32_t>(&raw)[i];
      *rv = sum;
      return;
    }
  }
  REQUIRE(args.size() >= 1, TypeError, "total takes a tensor, or ints");
  int64_t sum = 0;
  for (int i = 0; i < args.size(); ++i) {
    auto v = args[i].as<int64_t>();
    REQUIRE(v.has_value(), TypeError, "argument " << i << " must be an int");
    REQUIRE(*v >= -1000000 && *v <= 1000000, ValueError, "argument " << i << " must lie in [-1000000, 1000000]");
    sum += *v;
  }
  *rv = sum;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(multi_axpy, multi_axpy);
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_total(void*, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Any rv;
  total(ffi::PackedArgs(reinterpret_cast<const ffi::AnyView*>(args), n), &rv);
  *reinterpret_cast<Any*>(result) = std::move(rv);
  TVM_FFI_SAFE_CALL_END();
}
