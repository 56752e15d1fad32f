// SPDX-License-Identifier: Apache-2.0
// Moves particles on springs, in place: x'' = -rate^2 x, by many small steps of the fourth order
// (Yoshida). One call takes some 20 ms with the steps that it takes by itself.
namespace {

using kit::ffi::Any;
using kit::ffi::Map;
using kit::ffi::String;

constexpr int64_t kMost = 16;

int64_t Steps(const Map<String, Any>& options) {
  int64_t steps = 600000;
  for (const auto& [key, value] : options) {
    if (key != "steps") TVM_FFI_THROW(ValueError) << "unknown option: " << key;
    if (value == nullptr) continue;
    auto given = value.try_cast<int64_t>();
    if (!given.has_value()) TVM_FFI_THROW(TypeError) << "steps must be an int";
    steps = *given;
  }
  if (steps < 10000 || steps > 2000000) {
    TVM_FFI_THROW(ValueError) << "steps must be from 10000 to 2000000";
  }
  return steps;
}

void Oscillators(kit::ffi::TensorView pos, kit::ffi::TensorView vel, double rate, double time,
                 Map<String, Any> options) {
  double* x = kit::Cells<double>(pos, "pos", {kit::kAny});
  const int64_t n = pos.size(0);
  double* v = kit::Cells<double>(vel, "vel", {n});
  if (n > kMost) TVM_FFI_THROW(ValueError) << "at most " << kMost << " particles";
  if (!(rate >= 0.125 && rate <= 4)) TVM_FFI_THROW(ValueError) << "rate is out of range";
  if (!(time >= 0 && time <= 8)) TVM_FFI_THROW(ValueError) << "time is out of range";
  const int64_t steps = Steps(options);

  const double h = time / static_cast<double>(steps);
  const double root = std::cbrt(2.0);
  const double outer = 1 / (2 - root), inner = -root / (2 - root);
  const double c1 = h * outer / 2, c2 = h * (outer + inner) / 2;
  const double d1 = -rate * rate * h * outer, d2 = -rate * rate * h * inner;
  for (int64_t i = 0; i < n; ++i) {
    double p = x[i], q = v[i];
    for (int64_t k = 0; k < steps; ++k) {
      p += c1 * q;
      q += d1 * p;
      p += c2 * q;
      q += d2 * p;
      p += c2 * q;
      q += d1 * p;
      p += c1 * q;
    }
    x[i] = p;
    v[i] = q;
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(oscillators, Oscillators);
