// SPDX-License-Identifier: Apache-2.0
// x * weight + bias, both from a map of which other keys are ignored; and one step of gradient descent on a list.
static ffi::Tensor affine(ffi::TensorView x_, ffi::Map<ffi::String, ffi::Any> params) {
  View x(x_, "x"), weight, bias;
  x.cpu().type({F32, F64}).min_rank(1).contiguous();
  int64_t d = x.n(-1);
  NEED(params.defined(), TypeError, "params: expected a map, not None");
  std::optional<ffi::Tensor> keep[2];
  for (int i = 0; i < 2; ++i) {
    const char* key = i ? "bias" : "weight";
    auto it = params.find(key);
    if (it == params.end() || (i && (*it).second == nullptr)) continue;
    auto t = (*it).second.as<ffi::Tensor>();
    NEED(t && t->defined(), TypeError, "params: " << key << " must be a tensor");
    keep[i] = *t;
    View v(*keep[i], key);
    v.cpu().same_type(x).rank(1).extent(0, d).contiguous();
    (i ? bias : weight) = v;
  }
  NEED(weight, KeyError, "params: weight is missing");
  ffi::Tensor out = make(x_.shape(), x.dtype());
  auto run = [&](auto t) {
    using T = decltype(t);
    for (int64_t i = 0, n = x.numel(); i < n; ++i) {
      double y = double(x.p<T>()[i]) * double(weight.p<T>()[i % d]);
      static_cast<T*>(out.data_ptr())[i] = T(bias ? y + double(bias.p<T>()[i % d]) : y);
    }
  };
  if (x.dtype() == F32) run(float());
  else run(double());
  return out;
}

static int64_t sgd(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads, double rate, ffi::Optional<double> decay) {
  NEED(params.defined() && grads.defined(), TypeError, "params, grads: expected arrays, not None");
  NEED(params.size() == grads.size(), ValueError, "grads: as many as params expected");
  NEED(rate >= 0 && rate <= 1, ValueError, "rate: expected 0 to 1");
  double k = decay ? *decay : 0;
  NEED(k >= 0 && k < 1, ValueError, "decay: expected 0 to 1");
  int64_t total = 0;
  for (size_t i = 0; i < params.size(); ++i) {
    ffi::Tensor pt = params[i], gt = grads[i];
    View p(pt, "params"), g(gt, "grads");
    p.cpu().type({F32}).rank(2).contiguous();
    g.cpu().type({F32}).rank(2).extent(0, p.n(0)).extent(1, p.n(1)).contiguous();
    NEED(p.n(1) == params[0].size(1), ValueError, "params: different numbers of columns");
    NEED(i == 0 || p.n(0) == params[0].size(0), ValueError, "params: different numbers of rows");
    total += p.numel();
  }
  for (size_t i = 0; i < params.size(); ++i) {
    View p(params[i], "params"), g(grads[i], "grads");
    for (int64_t j = 0, n = p.numel(); j < n; ++j)
      p.p<float>()[j] = float(double(p.p<float>()[j]) * (1 - k) - rate * double(g.p<float>()[j]));
  }
  return total;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(affine, affine);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd, sgd);
