// SPDX-License-Identifier: Apache-2.0
// Layer, RMS and group norms of rows, out of place or (without an output) in place, and an RMS
// norm of many tensors at once.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Array;
using vx::ffi::Optional;
using vx::ffi::String;
using vx::ffi::Tensor;

struct Affine {
  View weight, bias;
  bool has_weight = false, has_bias = false;
};

void Take(const Optional<Tensor>& t, const char* name, Num num, int64_t d, View* v, bool* has) {
  *has = t.has_value();
  if (!*has) return;
  *v = vx::Look(t.value(), name, 1, {num});
  vx::SameShape(*v, name, {d});
}

void CheckEps(double eps) {
  if (!(eps >= 1e-8 && eps <= 1)) TVM_FFI_THROW(ValueError) << "eps: from 1e-8 to 1, not " << eps;
}

// Normalises columns `from` to `to` of one row. Reads each element before it writes it.
void Row(const View& x, const View& y, const Affine& f, int64_t r, int64_t from, int64_t to,
         bool centred, double eps) {
  const double n = static_cast<double>(to - from);
  double mean = 0;
  if (centred) {
    // Relative to the first one, so that equal elements deviate by exactly 0.
    const double base = x.Get(r, from);
    for (int64_t i = from; i < to; ++i) mean += x.Get(r, i) - base;
    mean = base + mean / n;
  }
  double squares = 0;
  for (int64_t i = from; i < to; ++i) squares += (x.Get(r, i) - mean) * (x.Get(r, i) - mean);
  const double by = 1 / std::sqrt(squares / n + eps);
  for (int64_t i = from; i < to; ++i) {
    double v = (x.Get(r, i) - mean) * by;
    if (f.has_weight) v *= f.weight.Get(i);
    if (f.has_bias) v += f.bias.Get(i);
    y.Put(v, r, i);
  }
}

Tensor Norm(Tensor x, String mode, int64_t groups, Optional<Tensor> weight, Optional<Tensor> bias,
            double eps, Optional<Tensor> out) {
  const View in = vx::Look(x, "x", 2, {Num::F16, Num::BF16, Num::F32, Num::F64});
  const int64_t d = in.shape[1];
  const bool rms = mode == "rms";
  if (!rms && mode != "layer" && mode != "group") {
    TVM_FFI_THROW(ValueError) << "mode: layer, rms or group";
  }
  if (mode != "group" && groups != 1) TVM_FFI_THROW(ValueError) << "groups: only for mode group";
  if (groups < 1 || groups > d || d % groups != 0) {
    TVM_FFI_THROW(ValueError) << "groups: " << groups << " do not divide " << d << " elements";
  }
  CheckEps(eps);
  Affine f;
  Take(weight, "weight", in.num, d, &f.weight, &f.has_weight);
  Take(bias, "bias", in.num, d, &f.bias, &f.has_bias);
  View to = in;
  if (out.has_value()) {
    to = vx::Look(out.value(), "out", 2, {in.num});
    vx::SameShape(to, "out", {in.shape[0], d});
  }
  const int64_t width = d / groups;
  for (int64_t r = 0; r < in.shape[0]; ++r) {
    for (int64_t g = 0; g < groups; ++g) Row(in, to, f, r, g * width, (g + 1) * width, !rms, eps);
  }
  return out.has_value() ? out.value() : x;
}

void RmsNormMany(Array<Tensor> xs, Optional<Tensor> weight, double eps) {
  CheckEps(eps);
  std::vector<View> views;
  for (const Tensor& x : xs) {
    views.push_back(vx::Look(x, "xs", 2, {Num::F32, Num::F16}));
    const View& v = views.back();
    if (v.num != views[0].num) TVM_FFI_THROW(TypeError) << "xs: data types differ";
    if (v.shape[1] < 1) TVM_FFI_THROW(ValueError) << "xs: rows are empty";
    vx::SameShape(v, "xs", {v.shape[0], views[0].shape[1]});
  }
  Affine f;
  if (weight.has_value()) {
    f.weight = vx::Look(weight.value(), "weight", 1, {Num::F32});
    f.has_weight = true;
    if (f.weight.shape[0] < 1) TVM_FFI_THROW(ValueError) << "weight: empty";
    if (!views.empty()) vx::SameShape(f.weight, "weight", {views[0].shape[1]});
  }
  for (const View& v : views) {
    for (int64_t r = 0; r < v.shape[0]; ++r) Row(v, v, f, r, 0, v.shape[1], false, eps);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(norm, Norm);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm_many, RmsNormMany);
