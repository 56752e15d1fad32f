// SPDX-License-Identifier: Apache-2.0
// Cross entropy of class indices: losses by row, their mean or sum, and optionally the gradient.
constexpr int64_t kIgnored = -1;  // a target that counts for nothing

struct Args {
  View x, target, weight, loss, grad;
  bool has_weight = false, has_grad = false, mean = true;
  double smoothing = 0;
};

template <class T, class I>
static Map<String, Any> run(const Args& a) {
  int64_t b = a.x.shape[0], c = a.x.shape[1];
  const I* t = a.target.as<I>();
  const float* w = a.weight.as<float>();
  for (int64_t r = 0; r < b; ++r) {
    if (int64_t(t[r]) == kIgnored) continue;
#if BUG == 1
    REQUIRE(int64_t(t[r]) < c, IndexError, "target[" << r << "] is out of range");
#else
    REQUIRE(t[r] >= 0 && int64_t(t[r]) < c, IndexError, "target[" << r << "] is out of range");
#endif
  }
  double denom = 0, sum = 0;
  int64_t count = 0;
  for (int64_t r = 0; r < b; ++r) {
    if (int64_t(t[r]) == kIgnored) continue;
    ++count;
#if BUG == 3
    denom += 1;
#else
    denom += a.has_weight ? double(w[t[r]]) : 1.0;
#endif
  }
  double scale = a.mean ? (denom > 0 ? 1 / denom : 0.0) : 1.0;
  int64_t sx = a.x.stride0();
#if BUG == 5
  int64_t sg = sx;
#else
  int64_t sg = a.has_grad ? a.grad.stride0() : 0;
#endif
  std::vector<double> p(static_cast<size_t>(c));
  for (int64_t r = 0; r < b; ++r) {
    const T* x = a.x.as<T>() + r * sx;
    T* g = a.has_grad ? a.grad.as<T>() + r * sg : nullptr;
    float& loss = a.loss.as<float>()[r];
    if (int64_t(t[r]) == kIgnored) {
      loss = 0;
#if BUG != 2
      if (g)
        for (int64_t j = 0; j < c; ++j) store(g[j], 0.0);
#endif
      continue;
    }
    double top = -std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < c; ++j) top = std::max(top, load(x[j]));
    double z = 0;
    for (int64_t j = 0; j < c; ++j) z += p[j] = std::exp(load(x[j]) - top);
    double log_z = top + std::log(z);
    double wt = a.has_weight ? double(w[t[r]]) : 1.0;
    double nll = log_z - load(x[t[r]]), smooth = 0;
    if (a.smoothing > 0) {
      for (int64_t j = 0; j < c; ++j) smooth += log_z - load(x[j]);
      smooth /= double(c);
    }
    double value = wt * ((1 - a.smoothing) * nll + a.smoothing * smooth);
    loss = float(value);
    sum += value;
    if (g) {
      for (int64_t j = 0; j < c; ++j) {
        double q = a.smoothing / double(c) + (j == int64_t(t[r]) ? 1 - a.smoothing : 0.0);
        double d = wt * scale * (p[j] / z - q);
#if BUG == 4
        if constexpr (std::is_same_v<T, BF16>) {
          g[j].u = float_to_half(float(d));
          continue;
        }
#endif
        store(g[j], d);
      }
    }
  }
  return Map<String, Any>{{"loss", sum * scale}, {"count", count}};
}

template <class T>
static Map<String, Any> pick(const Args& a) {
  return a.target.dtype.bits == 32 ? run<T, int32_t>(a) : run<T, int64_t>(a);
}

static Map<String, Any> cross_entropy(TensorView logits, TensorView target, Optional<Tensor> weight,
                                      double smoothing, String reduction, TensorView losses, Optional<Tensor> grad) {
  Args a;
  a.x = check(logits, "logits", {kF32, kF16, kBF16}, 2, kRows);
  REQUIRE(a.x.shape[1] >= 1, ValueError, "logits must have a class");
  a.target = check(target, "target", {kI32, kI64}, 1);
  REQUIRE(a.target.shape[0] == a.x.shape[0], ValueError, "target must have an element for each row");
  a.loss = check(losses, "losses", {kF32}, 1);
  REQUIRE(a.loss.shape[0] == a.x.shape[0], ValueError, "losses must have an element for each row");
  if (weight.has_value()) {
    a.has_weight = true;
    a.weight = check(weight.value(), "weight", {kF32}, 1);
    REQUIRE(a.weight.shape[0] == a.x.shape[1], ValueError, "weight must have an element for each class");
    for (int64_t j = 0; j < a.weight.numel; ++j)
      REQUIRE(a.weight.as<float>()[j] >= 0 && std::isfinite(a.weight.as<float>()[j]), ValueError,
              "weight must be finite and not negative");
  }
  if (grad.has_value()) {
    a.has_grad = true;
    a.grad = check(grad.value(), "grad", {a.x.dtype}, 2, kRows);
    REQUIRE(same_shape(a.grad, a.x), ValueError, "grad must have the shape of logits");
  }
#if BUG == 6
  if (smoothing < 0 || smoothing >= 1) TVM_FFI_THROW(ValueError) << "smoothing must be at least 0 and less than 1";
#else
  REQUIRE(smoothing >= 0 && smoothing < 1, ValueError, "smoothing must be at least 0 and less than 1");
#endif
  a.smoothing = smoothing;
  REQUIRE(reduction == "mean" || reduction == "sum", ValueError, "reduction must be mean or sum");
  a.mean = reduction == "mean";
  if (same_type(a.x.dtype, kF32)) return pick<float>(a);
  if (same_type(a.x.dtype, kF16)) return pick<Half>(a);
  return pick<BF16>(a);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cross_entropy, cross_entropy);
