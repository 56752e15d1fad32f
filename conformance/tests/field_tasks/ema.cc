// SPDX-License-Identifier: Apache-2.0
// Exponential moving average of model weights.
namespace {

struct Options {
  bool warmup = false;
  Optional<double> min_decay;
};

Options Parse(const Map<String, Any>& options) {
  Options o;
  for (const auto& kv : options) {
    if (kv.first == "warmup") {
#if BUG == 6
      o.warmup = true;
      continue;
#endif
      auto v = kv.second.try_cast<bool>();
      TVM_FFI_CHECK(v.has_value(), TypeError) << "options[\"warmup\"] must be a bool";
      o.warmup = *v;
    } else if (kv.first == "min_decay") {
      auto v = kv.second.try_cast<double>();
      TVM_FFI_CHECK(v.has_value(), TypeError) << "options[\"min_decay\"] must be a float";
      TVM_FFI_CHECK(*v >= 0 && *v <= 1, ValueError) << "options[\"min_decay\"] must be from 0 to 1";
      o.min_decay = *v;
    } else {
      TVM_FFI_THROW(ValueError) << "unknown option " << kv.first;
    }
  }
  return o;
}

void CheckPair(const TensorView& s, const TensorView& p) {
  NeedCPU(s, "shadow");
  NeedCPU(p, "params");
  NeedType(s, {kF32}, "shadow");
  NeedType(p, {kF32, kF16, kBF16}, "params");
#if BUG == 1
  TVM_FFI_CHECK(s.numel() == p.numel(), ValueError) << "shadow and params must have the same shape";
#else
  TVM_FFI_CHECK(SameShape(s, p), ValueError) << "shadow and params must have the same shape";
#endif
  NeedContiguous(s, "shadow");
  NeedContiguous(p, "params");
  NeedAligned(s, "shadow");
  NeedAligned(p, "params");
}

void UpdateOne(const TensorView& s, const TensorView& p, DLDataType ptype, float d) {
  float* out = Data<float>(s);
  float r = 1.0f - d;
  auto body = [=](int64_t b, int64_t e) {
#if BUG == 5
    const void* raw = p.data_ptr();
#else
    const void* raw = Bytes(p);
#endif
    if (Is(ptype, kF32)) {
      const float* x = static_cast<const float*>(raw);
      for (int64_t i = b; i < e; ++i) out[i] = d * out[i] + r * x[i];
    } else {
      const uint16_t* x = static_cast<const uint16_t*>(raw);
#if BUG == 4
      for (int64_t i = b; i < e; ++i) out[i] = d * out[i] + r * HalfToFloat(x[i]);
#else
      if (Is(ptype, kF16))
        for (int64_t i = b; i < e; ++i) out[i] = d * out[i] + r * HalfToFloat(x[i]);
      else
        for (int64_t i = b; i < e; ++i) out[i] = d * out[i] + r * BF16ToFloat(x[i]);
#endif
    }
  };
#if BUG == 7
  int64_t n = s.numel();
  if (n < 4096) {
    body(0, n);
  } else {
    std::vector<std::thread> ts;
    for (int t = 0; t < 4; ++t) ts.emplace_back(body, n / 4 * t, n / 4 * (t + 1));
    for (auto& t : ts) t.join();
  }
#else
  ParallelFor(s.numel(), 2048, body);
#endif
}

double EmaUpdate(Array<Tensor> shadow, Array<Tensor> params, double decay, int64_t step, Map<String, Any> options) {
  TVM_FFI_CHECK(shadow.size() == params.size(), ValueError) << "shadow and params must have the same length";
  TVM_FFI_CHECK(decay >= 0 && decay <= 1, ValueError) << "decay must be from 0 to 1";
  TVM_FFI_CHECK(step >= 0, ValueError) << "step must not be negative";
  Options o = Parse(options);
  double d = decay;
  if (o.warmup) d = std::min(d, (1.0 + double(step)) / (10.0 + double(step)));
  if (o.min_decay.has_value()) d = std::max(d, o.min_decay.value());
  size_t n = shadow.size();
#if BUG == 2
  for (size_t i = 0; i < n; ++i) {
    CheckPair(shadow[i], params[i]);
    UpdateOne(shadow[i], params[i], params[i].dtype(), float(d));
  }
#elif BUG == 3
  if (n > 0) {
    CheckPair(shadow[0], params[0]);
    for (size_t i = 1; i < n; ++i)
      TVM_FFI_CHECK(SameShape(shadow[i], params[i]), ValueError) << "shadow and params must have the same shape";
    for (size_t i = 0; i < n; ++i) UpdateOne(shadow[i], params[i], params[0].dtype(), float(d));
  }
#else
  for (size_t i = 0; i < n; ++i) CheckPair(shadow[i], params[i]);
  for (size_t i = 0; i < n; ++i) UpdateOne(shadow[i], params[i], params[i].dtype(), float(d));
#endif
  return d;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ema_update, EmaUpdate)
