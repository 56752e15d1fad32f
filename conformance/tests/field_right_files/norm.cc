// SPDX-License-Identifier: Apache-2.0
// Layer norm, or RMS norm, over the last dimension; the output may be the input.
void Norm(TensorView xt, ffi::Optional<ffi::Tensor> wt, ffi::Optional<ffi::Tensor> bt, ffi::Map<ffi::String, ffi::Any> options, TensorView work, TensorView ot) {
  std::vector<Code> types{F16, F32, BF16};
  Arr x = Check(xt, "x", types, -2, ROWS), o = Check(ot, "out", types, -2, CONTIGUOUS, true), w, b, k = Check(work, "work", {F64}, 1, CONTIGUOUS, true);
  SameType(o, x, "out");
  Shaped(o, "out", x.shape);
  int64_t n = x.shape.back();
  NEED(n > 0, ValueError, "rows of no elements have no mean");
  Shaped(k, "work", {n});
  if (wt.has_value()) {
    w = Check(wt.value(), "weight", types, 1, CONTIGUOUS);
    SameType(w, x, "weight");
    Shaped(w, "weight", {n});
  }
  if (bt.has_value()) {
    NEED(wt.has_value(), ValueError, "bias without weight");
    b = Check(bt.value(), "bias", types, 1, CONTIGUOUS);
    SameType(b, x, "bias");
    Shaped(b, "bias", {n});
  }
  double eps = 1e-5;
  std::string mode;
  for (auto kv : options) {
    if (kv.first == "mode") mode = kv.second.cast<ffi::String>();
    else if (kv.first == "eps") eps = kv.second == nullptr ? eps : kv.second.cast<double>();
    else TVM_FFI_THROW(ValueError) << "unknown option " << std::string(kv.first);
  }
  NEED(mode == "layer" || mode == "rms", ValueError, "the mode must be layer or rms");
  NEED(mode == "layer" || !bt.has_value(), ValueError, "rms norm takes no bias");
  NEED(eps >= 1e-8 && eps <= 1, ValueError, "eps is not within 1e-8 and 1");
  if (x.numel == 0) return;
  double* v = reinterpret_cast<double*>(k.data);
  int64_t rows = x.rows();
  for (int64_t r = 0; r < rows; ++r) {
    const char* in = x.row(r);
    double mean = 0, sq = 0;
    for (int64_t i = 0; i < n; ++i) mean += v[i] = Load(in + i * x.item, x.code);
    mean = mode == "layer" ? mean / double(n) : 0;
    for (int64_t i = 0; i < n; ++i) sq += (v[i] - mean) * (v[i] - mean);
    double f = 1 / std::sqrt(sq / double(n) + eps);
    for (int64_t i = 0; i < n; ++i) {
      double y = (v[i] - mean) * f;
      if (wt.has_value()) y *= Load(w.at(i), w.code);
      if (bt.has_value()) y += Load(b.at(i), b.code);
      Store(o.data + (r * n + i) * o.item, o.code, y);
    }
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(norm, Norm);

void Softmax(TensorView xt, double temperature, ffi::Optional<ffi::Tensor> mt, TensorView ot) {
  std::vector<Code> types{F16, F32, F64};
  Arr x = Check(xt, "x", types, -2, STRIDED), o = Check(ot, "out", types, -2, ROWS, true), m;
  SameType(o, x, "out");
  Shaped(o, "out", x.shape);
  int64_t n = x.shape.back();
  NEED(n >= 1, ValueError, "rows of no elements");
  NEED(temperature >= 0.0625 && temperature <= 16, ValueError, "temperature is not within 1/16 and 16");
  std::vector<char> keep(n, 1);
  if (mt.has_value()) {
    m = Check(mt.value(), "mask", {BOOL}, 1, CONTIGUOUS);
    NEED(m.shape[0] == n || m.shape[0] == 1, ValueError, "mask must have one element, or one for each column");
    bool some = false;
    for (int64_t i = 0; i < n; ++i) some |= (keep[i] = Get<uint8_t>(m.at(m.shape[0] == 1 ? 0 : i)) != 0);
    NEED(some, ValueError, "all columns are masked");
  }
  if (x.numel == 0) return;
  std::vector<double> v(n);
  for (int64_t r = 0; r < x.rows(); ++r) {
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      v[i] = keep[i] ? Load(x.row(r) + i * x.step(), x.code) / temperature : -std::numeric_limits<double>::infinity();
      if (!(v[i] <= most)) most = std::isnan(most) ? most : v[i];
    }
    for (int64_t i = 0; i < n; ++i) sum += v[i] = std::exp(v[i] - most);
    for (int64_t i = 0; i < n; ++i) Store(o.row(r) + i * o.item, o.code, v[i] / sum);
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, Softmax);
