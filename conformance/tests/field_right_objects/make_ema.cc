// SPDX-License-Identifier: Apache-2.0
// make_ema(alpha, corrected=None) returns a function: ema(x) takes one more value and returns the
// moving average so far, ema(None) forgets all. Each of them has a state of its own.
using tvm::ffi::Function;
using tvm::ffi::Optional;

namespace {

struct Ema {
  std::mutex lock;
  double alpha, sum = 0, weight = 0;
  bool corrected;
  Ema(double a, bool c) : alpha(a), corrected(c) {}
};

Function MakeEma(double alpha, Optional<bool> corrected) {
  if (!(alpha > 0 && alpha <= 1)) {
    TVM_FFI_THROW(ValueError) << "alpha must be in (0, 1], got " << alpha;
  }
  auto state = std::make_shared<Ema>(alpha, corrected.value_or(true));
  return Function::FromTyped([state](Optional<double> x) -> Optional<double> {
    if (x.has_value() && !std::isfinite(*x)) {
      TVM_FFI_THROW(ValueError) << "x is not finite";
    }
    std::lock_guard<std::mutex> guard(state->lock);
    if (!x.has_value()) {
      state->sum = state->weight = 0;
      return std::nullopt;
    }
    state->sum = (1 - state->alpha) * state->sum + state->alpha * *x;
    state->weight = (1 - state->alpha) * state->weight + state->alpha;
    return state->corrected ? state->sum / state->weight : state->sum;
  });
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_ema, MakeEma);
