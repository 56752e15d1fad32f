// SPDX-License-Identifier: Apache-2.0
// params[i] += (targets[i] - params[i]) * weight, over several fresh threads.
void LerpMany(Array<Tensor> params, Array<Tensor> targets, double weight, int64_t threads) {
  REQUIRE(ValueError, params.size() == targets.size()) << "params and targets must have the same length";
  REQUIRE(ValueError, weight >= 0 && weight <= 1) << "weight must be from 0 to 1";
  REQUIRE(ValueError, threads >= 1 && threads <= 8) << "threads must be from 1 to 8";
  std::vector<View> p, t;
  for (size_t i = 0; i < params.size(); ++i) {
    p.push_back(view(params[i], "params", {F32, F64, BF16}, 1));
    t.push_back(view(targets[i], "targets", {F32, F64, BF16}, 1));
    same_shape(p[i], p[0], "params"), same_shape(t[i], p[0], "targets");
    same_dtype(p[i], p[0], "params"), same_dtype(t[i], p[0], "targets");
  }
  if (p.empty()) return;
  loop_threads(p[0].numel, int(threads), [&](int64_t a, int64_t b) {
    for (size_t i = 0; i < p.size(); ++i)
      for (int64_t j = a; j < b; ++j) {
        double v = load(p[i], j);
        store(p[i], j, v + (load(t[i], j) - v) * weight);
      }
  });
}
// all rows, one after the other, as a new tensor
Tensor Flatten(Array<Tensor> parts) {
  REQUIRE(ValueError, parts.size() >= 1) << "parts must not be empty";
  std::vector<View> v;
  int64_t rows = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    v.push_back(view(parts[i], "parts", {F32, F64, BF16}, 2));
    same_dtype(v[i], v[0], "parts");
    REQUIRE(ValueError, v[i].n(1) == v[0].n(1)) << "parts: rows differ in length";
    rows += v[i].n(0);
  }
  Tensor out = alloc({rows, v[0].n(1)}, v[0].dtype);
  char* to = data<char>(out);
  for (const View& part : v) {
    size_t bytes = size_t(part.numel) * part.dtype.bits / 8;
    if (bytes) std::memcpy(to, part.data, bytes);
    to += bytes;
  }
  return out;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(lerp_many, LerpMany);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(flatten, Flatten);
