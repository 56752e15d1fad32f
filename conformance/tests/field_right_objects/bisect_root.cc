// SPDX-License-Identifier: Apache-2.0
// A root of f between two numbers where it has different signs, by bisection.
// It is as exact as `width` says, or as floats are.
namespace {

using tvm::ffi::Optional;
using Callback = tvm::ffi::TypedFunction<double(double)>;

struct Probe {
  const Callback& f;
  double operator()(double x) const {
    const double y = f(x);
    if (std::isnan(y)) TVM_FFI_THROW(ArithmeticError) << "f(" << x << ") is not a number";
    return y;
  }
};

double Bisect(Callback f, double low, double high, Optional<double> width) {
  if (!f.packed().defined()) TVM_FFI_THROW(TypeError) << "f is None";
  if (!std::isfinite(low) || !std::isfinite(high) || low >= high) {
    TVM_FFI_THROW(ValueError) << "low and high must be finite numbers in this order";
  }
  const double enough = width.value_or(0);
  if (!(enough >= 0)) TVM_FFI_THROW(ValueError) << "width must not be negative";

  const Probe probe{f};
  const double at_low = probe(low), at_high = probe(high);
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  if ((at_low < 0) == (at_high < 0)) {
    TVM_FFI_THROW(ValueError) << "f has the same sign at low and at high";
  }
  while (true) {
    const double root = low / 2 + high / 2;
    if (root <= low || root >= high || high / 2 - low / 2 <= enough / 2) return root;
    const double y = probe(root);
    if (y == 0) return root;
    ((y < 0) == (at_low < 0) ? low : high) = root;
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bisect_root, Bisect);
