// SPDX-License-Identifier: Apache-2.0
// Weights in 8 bits with a scale per row: symmetric, or with a zero point per row.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Optional;
using vx::ffi::Tensor;
using vx::ffi::TensorView;

// Smaller scales would not be normal numbers.
constexpr double kLeast = std::numeric_limits<float>::min();

void Quantise(TensorView x, TensorView q, TensorView scale, Optional<Tensor> zero) {
  const View in = vx::Look(x, "x", 2, {Num::F16, Num::BF16, Num::F32});
  const View to = vx::Look(q, "q", 2, {Num::I8, Num::U8});
  const View by = vx::Look(scale, "scale", 1, {Num::F32});
  const int64_t rows = in.shape[0];
  const int64_t n = in.shape[1];
  if (n < 1) TVM_FFI_THROW(ValueError) << "x: rows are empty";
  vx::SameShape(to, "q", {rows, n});
  vx::SameShape(by, "scale", {rows});
  const bool shifted = zero.has_value();
  View z;
  if (shifted) {
    z = vx::Look(zero.value(), "zero", 1, {Num::I32});
    vx::SameShape(z, "zero", {rows});
  } else if (to.num != Num::I8) {
    TVM_FFI_THROW(ValueError) << "q: without zero points, only int8 can hold both signs";
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < n; ++i) {
      if (!std::isfinite(in.Get(r, i))) TVM_FFI_THROW(ValueError) << "x: not finite in row " << r;
    }
  }

  const double low = !shifted ? -127 : to.num == Num::I8 ? -128 : 0;
  const double high = to.num == Num::I8 ? 127 : 255;
  for (int64_t r = 0; r < rows; ++r) {
    double least = 0;
    double most = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double v = in.Get(r, i);
      least = std::min(least, v);
      most = std::max(most, v);
    }
    const double span = shifted ? (most - least) / 255 : std::max(most, -least) / 127;
    const double step = static_cast<float>(span >= kLeast ? span : 1.0);
    double at = 0;
    if (shifted) {
      at = std::clamp(std::nearbyint(low - least / step), low, high);
      z.Put(at, r);
    }
    by.Put(step, r);
    for (int64_t i = 0; i < n; ++i) {
      to.Put(std::clamp(std::nearbyint(in.Get(r, i) / step) + at, low, high), r, i);
    }
  }
}

void Dequantise(TensorView q, TensorView scale, Optional<Tensor> zero, TensorView out) {
  const View in = vx::Look(q, "q", 2, {Num::I8, Num::U8});
  const View by = vx::Look(scale, "scale", 1, {Num::F32});
  const View to = vx::Look(out, "out", 2, {Num::F16, Num::BF16, Num::F32});
  const int64_t rows = in.shape[0];
  vx::SameShape(by, "scale", {rows});
  vx::SameShape(to, "out", {rows, in.shape[1]});
  View z;
  if (zero.has_value()) {
    z = vx::Look(zero.value(), "zero", 1, {Num::I32});
    vx::SameShape(z, "zero", {rows});
  }
  for (int64_t r = 0; r < rows; ++r) {
    const double at = zero.has_value() ? z.Get(r) : 0;
    for (int64_t i = 0; i < in.shape[1]; ++i) {
      to.Put((in.Get(r, i) - at) * by.Get(r), r, i);
    }
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quantise, Quantise);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dequantise, Dequantise);
