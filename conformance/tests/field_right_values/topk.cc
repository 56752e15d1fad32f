// SPDX-License-Identifier: Apache-2.0
// The k largest or smallest, in order; equal ones as they stand; NaN last.
Tuple<Tensor, Tensor> TopK(TensorView x, int64_t k, bool largest, Optional<Tensor> rest) {
  View v = view(x, "x", {F32, F64}, 1);
  REQUIRE(ValueError, k >= 1 && k <= v.numel) << "k must be from 1 to the length of x";
  View r;
  if (rest.has_value()) {
    r = view(rest.value(), "rest", {I64}, 1);
    REQUIRE(ValueError, r.numel == v.numel - k) << "rest must hold the others";
  }
  std::vector<int64_t> order(v.numel);
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](int64_t i) { return largest ? -load(v, i) : load(v, i); };
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    double p = key(a), q = key(b);
    return std::isnan(q) ? !std::isnan(p) : p < q;
  });
  Tensor values = alloc({k}, v.dtype), at = alloc({k}, I64);
  View o = view(values, "values", {v.dtype}, 1);
  for (int64_t i = 0; i < k; ++i) store(o, i, load(v, order[i])), data<int64_t>(at)[i] = order[i];
  if (rest.has_value()) std::copy(order.begin() + k, order.end(), r.as<int64_t>());
  return Tuple<Tensor, Tensor>(values, at);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(topk, TopK);
