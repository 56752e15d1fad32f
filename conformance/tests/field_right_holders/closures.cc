// SPDX-License-Identifier: Apache-2.0
// functions that are returned, and state of the process
ffi::Function compose(ffi::Function f, Optional<ffi::Function> g) {
  REQUIRE(f != nullptr, TypeError, "f must be a function");
  return ffi::Function::FromTyped([f, g](double v) {
    double w = f(v).cast<double>();
    return g.has_value() ? (*g)(w).cast<double>() : w;
  });
}
ffi::Function make_counter(int64_t start) {
  REQUIRE(start >= -1000 && start <= 1000, ValueError, "start must lie in [-1000, 1000]");
  auto state = std::make_shared<std::atomic<int64_t>>(start);
  return ffi::Function::FromTyped([state](int64_t by) {
    REQUIRE(by >= 0 && by <= 1000000, ValueError, "by must lie in [0, 1000000]");
    return state->fetch_add(by) + by;
  });
}
// what n stands for: None, a number, a text, or a pair
Any choose(int64_t n) {
  if (n == 0) return Any();
  if (n == 1) return Any(int64_t{42});
  if (n == 2) return Any(String("a text that is long enough"));
  if (n == 3) return Any(ffi::Tuple<int64_t, String>(n, String("three")));
  if (n == 4) return Any(true);
  TVM_FFI_THROW(IndexError) << "choose: no " << n;
  return Any();
}
static std::mutex lanes_lock;
static std::map<std::string, int64_t>& lanes() {
  static auto* m = new std::map<std::string, int64_t>();
  return *m;
}
int64_t take_ticket(String lane, bool peek) {
  REQUIRE(lane == "left" || lane == "right", ValueError, "lane must be left or right");
  std::lock_guard<std::mutex> guard(lanes_lock);
  int64_t& next = lanes()[lane.c_str()];
  return peek ? next : ++next;
}
static std::atomic<double> factor{1.0};
void set_factor(double s) {
  REQUIRE(s >= -4 && s <= 4, ValueError, "s must lie in [-4, 4]");
  factor = s;
}
void scaled(TensorView x, TensorView y) {
  Raw a(x), b(y);
  check(a, "x", {F32}, 1);
  check(b, "y", {F32}, 1);
  REQUIRE(a.shape[0] == b.shape[0], ValueError, "x and y must be equally long");
  double s = factor;
  for (int64_t i = 0; i < a.shape[0]; ++i) ::store(&b, i, load(&a, i) * s);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(compose, compose);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_counter, make_counter);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(choose, choose);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(take_ticket, take_ticket);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(set_factor, set_factor);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scaled, scaled);
