// SPDX-License-Identifier: Apache-2.0
// ema(keep) makes a function that takes a number and returns the running mean of all it was given.
// The first number is the first mean.
namespace {

class Ema {
 public:
  explicit Ema(double keep) : keep_(keep) {}

  double Next(double v) {
    if (!std::isfinite(v)) TVM_FFI_THROW(ValueError) << "only finite numbers have a mean";
    std::lock_guard<std::mutex> hold(lock_);
    mean_ = seen_ ? keep_ * mean_ + (1 - keep_) * v : v;
    seen_ = true;
    return mean_;
  }

  void Restart() {
    std::lock_guard<std::mutex> hold(lock_);
    seen_ = false;
  }

 private:
  const double keep_;
  std::mutex lock_;
  double mean_ = 0;
  bool seen_ = false;
};

// The function takes None, too: it then starts again and returns None.
tvm::ffi::Function make_ema(double keep) {
  if (!(keep >= 0.0 && keep <= 1.0)) TVM_FFI_THROW(ValueError) << "keep must be from 0 to 1";
  auto state = std::make_shared<Ema>(keep);
  return tvm::ffi::Function::FromTyped(
      [state](tvm::ffi::Optional<double> v) -> tvm::ffi::Optional<double> {
        if (v.has_value()) return state->Next(*v);
        state->Restart();
        return std::nullopt;
      },
      "ema.next");
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ema, make_ema);
