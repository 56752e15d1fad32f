// SPDX-License-Identifier: Apache-2.0
// p -= rate * g, for each parameter and its gradient.
static void sgd(ffi::Array<ffi::Tensor> params, ffi::Array<ffi::Tensor> grads, double rate) {
  NEED(params.size() == grads.size(), ValueError) << "there must be as many grads as params";
  NEED(rate >= 0 && rate <= 1, ValueError) << "rate must be within [0, 1]";
  std::vector<View> p, g;
  for (ffi::Tensor t : params) p.push_back(view(t, "a parameter", {F32, F64}, 1));
  for (ffi::Tensor t : grads) g.push_back(view(t, "a gradient", {F32, F64}, 1));
  for (size_t i = 0; i < p.size(); i++) {
    NEED(p[i].dt == p[0].dt && g[i].dt == p[0].dt, TypeError) << "all tensors must have the same data type";
    NEED(p[i].n == p[0].n && g[i].n == p[0].n, ValueError) << "all tensors must have as many elements";
  }
  for (size_t i = 0; i < p.size(); i++)
    for (int64_t j = 0; j < p[i].n; j++)
      store(p[i].dt, p[i].at(j), load(p[i].dt, p[i].at(j)) - rate * load(g[i].dt, g[i].at(j)));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sgd, sgd);

// Every tensor of a map, times a factor.
static ffi::Map<ffi::String, ffi::Tensor> scale_map(ffi::Map<ffi::String, ffi::Tensor> weights, double factor) {
  ffi::Map<ffi::String, ffi::Tensor> scaled;
  for (auto entry : weights) {
    View v = view(entry.second, "a weight", {F32}, 1);
    ffi::Tensor y = alloc(v.shape, F32);
    View vy = view(y, "y", {F32});
    for (int64_t j = 0; j < v.n; j++) put(vy.at(j), static_cast<float>(get<float>(v.at(j)) * factor));
    scaled.Set(entry.first, y);
  }
  return scaled;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scale_map, scale_map);

// How often each key is there.
static ffi::Map<int64_t, int64_t> tally(ffi::Array<int64_t> keys, ffi::Map<int64_t, int64_t> before) {
  ffi::Map<int64_t, int64_t> counts;
  for (auto entry : before) {
    NEED(entry.second >= 0 && entry.second <= 1000, ValueError) << "counts must be within [0, 1000]";
    counts.Set(entry.first, entry.second);
  }
  for (int64_t k : keys) counts.Set(k, counts.count(k) ? counts.at(k) + 1 : 1);
  return counts;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tally, tally);

// out[i] = the mean of the last `window` elements up to x[i].
static void running_mean(ffi::TensorView x, int64_t window, ffi::TensorView work, ffi::TensorView out) {
  View vx = view(x, "x", {F32}, 1);
  View vw = view(work, "work", {F64}, 1);
  View vo = view(out, "out", {F32}, 1);
  NEED(window == 1 || window == 2 || window == 4, ValueError) << "window must be 1, 2 or 4";
  NEED(vw.n == vx.n && vo.n == vx.n, ValueError) << "work and out must have " << vx.n << " elements";
  for (int64_t i = 0; i < vx.n; i++) {
    double sum = 0;
    int64_t from = std::max<int64_t>(0, i - window + 1);
    for (int64_t j = from; j <= i; j++) sum += get<float>(vx.at(j));
    put(vw.at(i), sum / static_cast<double>(i + 1 - from));
  }
  for (int64_t i = 0; i < vx.n; i++) put(vo.at(i), static_cast<float>(get<double>(vw.at(i))));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(running_mean, running_mean);

// x *= rate; the rate is taken as it is.
static void decay(ffi::TensorView x, double rate) {
  View v = view(x, "x", {F32});
  NEED(reinterpret_cast<uintptr_t>(v.p) % 16 == 0, ValueError) << "x must be aligned to 16 bytes";
  for (int64_t j = 0; j < v.n; j++) put(v.at(j), static_cast<float>(get<float>(v.at(j)) * rate));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(decay, decay);
