// SPDX-License-Identifier: Apache-2.0
// many kinds of arguments; poly(x, f, k, pair, weights, tag, negate, *more)
template <typename T>
static T take(ffi::PackedArgs args, int i, const char* name) {
  auto v = args[i].try_cast<T>();
  REQUIRE(v.has_value(), TypeError, "argument " << i << ", " << name << ", is of another type: " << args[i].GetTypeKey());
  return *v;
}
static Tensor poly(ffi::PackedArgs args) {
  REQUIRE(args.size() >= 7, TypeError, "poly takes at least 7 arguments, got " << args.size());
  Raw x(take<TensorView>(args, 0, "x"));
  check(x, "x", {F64}, 1);
  int64_t n = x.shape[0];
  ffi::Function f = take<ffi::Function>(args, 1, "f");
  REQUIRE(f != nullptr, TypeError, "f must be a function");
  int64_t k = n;
  auto kv = take<ffi::Variant<int64_t, String>>(args, 2, "k");
  if (auto i = kv.as<int64_t>()) {
    k = *i;
    REQUIRE(k >= 0 && k <= n, ValueError, "k must lie in [0, n]");
  } else {
    REQUIRE(kv.get<String>() == "all", ValueError, "k must be a number, or all");
  }
  auto pair = take<ffi::Tuple<int64_t, Optional<double>>>(args, 3, "pair");
  int64_t times = pair.get<0>();
  REQUIRE(times >= -100 && times <= 100, ValueError, "pair[0] must lie in [-100, 100]");
  double plus = pair.get<1>().value_or(0);
  REQUIRE(plus >= -10 && plus <= 10, ValueError, "pair[1] must lie in [-10, 10]");
  auto weights = take<Map<String, double>>(args, 4, "weights");
  for (const auto& w : weights) {
    REQUIRE(w.second >= -10 && w.second <= 10, ValueError, "weights must lie in [-10, 10]");
    plus += w.second;
  }
  plus += static_cast<double>(take<ffi::Bytes>(args, 5, "tag").size());
  auto negate = args[6].as<bool>();
  REQUIRE(negate.has_value(), TypeError, "negate must be a bool");
  std::vector<Raw> more;
  for (int i = 7; i < args.size(); ++i) {
    more.emplace_back(take<TensorView>(args, i, "more"));
    check(more.back(), "more", {F64}, 1);
    REQUIRE(more.back().shape[0] == n, ValueError, "each of more must be as long as x");
  }
  Tensor y = alloc({k}, F64);
  for (int64_t i = 0; i < k; ++i) {
    double v = f(load(&x, i)).cast<double>();
    for (const Raw& m : more) v += load(&m, i);
    v = v * static_cast<double>(times) + plus;
    store(dl(y), i, *negate ? -v : v);
  }
  return y;
}
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_poly(void*, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Any rv(poly(ffi::PackedArgs(reinterpret_cast<const ffi::AnyView*>(args), n)));
  *reinterpret_cast<Any*>(result) = std::move(rv);
  TVM_FFI_SAFE_CALL_END();
}
Tensor grid(ffi::Shape s, DLDataType dtype, DLDevice device, int64_t step) {
  REQUIRE(s.size() == 2 && s[1] == 2, ValueError, "s must be n and 2");
  REQUIRE(s[0] >= 0 && s[0] <= 100000, ValueError, "s[0] must lie in [0, 100000]");
  REQUIRE(same(dtype, F32) || same(dtype, I32), TypeError, "dtype must be float32 or int32");
  REQUIRE(device.device_type == kDLCPU && device.device_id == 0, ValueError, "device must be cpu");
  REQUIRE(step >= -50 && step <= 50 && step != 0, ValueError, "step must lie in [-50, 50], and not be 0");
  Tensor y = alloc({s[0], 2}, dtype);
  threads(s[0] * 2, [&](int64_t i) { store(dl(y), i, static_cast<double>(i * step)); });
  return y;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(grid, grid);
