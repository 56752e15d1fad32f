// SPDX-License-Identifier: Apache-2.0
// unscale(grads, inv_scale, found_inf), update_scale(scale, tracker, found_inf, growth, backoff, interval):
// the two halves of a dynamic loss scaler for mixed precision.
using namespace set;

void CheckFlag(const TensorView& t, const char* what, DLDataType dtype) {
  CheckVector(t, what, {dtype});
  REQUIRE(t.size(0) == 1, ValueError) << what << " must have one element";
}

void CheckGrad(const TensorView& g, bool dtype) {
  CheckCPU(g, "grads");
  if (dtype) CheckDtype(g, "grads", {kF16, kBF16, kF32});
  CheckContiguous(g, "grads");
}

// Multiplies in place, and says whether all elements were finite.
bool Scale(const TensorView& g, float factor) {
  int64_t n = g.numel();
  bool finite = true;
  if (g.dtype().bits == 32) {
    float* p = Data<float>(g);
    for (int64_t i = 0; i < n; ++i) {
      finite = finite && std::isfinite(p[i]);
      p[i] *= factor;
    }
    return finite;
  }
  uint16_t* p = Data<uint16_t>(g);
#if BUG == 4
  bool half = g.dtype().bits == 16;
#else
  bool half = g.dtype().code == kDLFloat;
#endif
  for (int64_t i = 0; i < n; ++i) {
    float v = half ? HalfToFloat(p[i]) : BF16ToFloat(p[i]);
    finite = finite && std::isfinite(v);
    p[i] = half ? FloatToHalf(v * factor) : FloatToBF16(v * factor);
  }
  return finite;
}

void Unscale(Array<Tensor> grads, double inv_scale, TensorView found_inf) {
  REQUIRE(std::isfinite(inv_scale) && inv_scale >= 1e-6 && inv_scale <= 65536, ValueError)
      << "inv_scale must be in 1e-6..65536, is " << inv_scale;
  CheckFlag(found_inf, "found_inf", kF32);
  bool finite = true;
#if BUG == 3
  for (const Tensor& g : grads) {
    REQUIRE(g.defined(), TypeError) << "an element of grads is None";
    CheckGrad(g, true);
    finite = Scale(g, static_cast<float>(inv_scale)) && finite;
  }
#else
  bool first = true;
  for (const Tensor& g : grads) {
#if BUG == 1
    if (!g.defined()) continue;
#else
    REQUIRE(g.defined(), TypeError) << "an element of grads is None";
#endif
#if BUG == 2
    CheckGrad(g, first);
#else
    CheckGrad(g, true);
#endif
    first = false;
  }
  (void)first;
  for (const Tensor& g : grads) {
#if BUG == 1
    if (!g.defined()) continue;
#endif
    finite = Scale(g, static_cast<float>(inv_scale)) && finite;
  }
#endif
  if (!finite) *Data<float>(found_inf) = 1.0f;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(unscale, Unscale);

void UpdateScale(TensorView scale, TensorView tracker, TensorView found_inf, double growth, double backoff,
                 int64_t interval) {
  CheckFlag(scale, "scale", kF32);
  CheckFlag(tracker, "tracker", kI32);
  CheckFlag(found_inf, "found_inf", kF32);
  REQUIRE(growth >= 1 && growth <= 1024, ValueError) << "growth must be in 1..1024";
  REQUIRE(backoff >= 0.0009765625 && backoff <= 1, ValueError) << "backoff must be in 2^-10..1";
#if BUG == 6
  REQUIRE(interval >= 0 && interval <= std::numeric_limits<int32_t>::max(), ValueError) << "interval must be positive";
#else
  REQUIRE(interval >= 1 && interval <= std::numeric_limits<int32_t>::max(), ValueError) << "interval must be positive";
#endif
  float* s = Data<float>(scale);
  int32_t* t = Data<int32_t>(tracker);
  if (*Data<float>(found_inf) != 0) {
    *s = static_cast<float>(*s * backoff);
    *t = 0;
    return;
  }
  int64_t good = static_cast<int64_t>(*t) + 1;
  if (good >= interval) {
    float grown = static_cast<float>(*s * growth);
#if BUG == 5
    *s = grown;
#else
    if (std::isfinite(grown)) *s = grown;
#endif
    good = 0;
  }
  *t = static_cast<int32_t>(good);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(update_scale, UpdateScale);
