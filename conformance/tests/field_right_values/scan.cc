// SPDX-License-Identifier: Apache-2.0
// Segments, windows, permutations.
void SegmentSum(TensorView x, TensorView ptr, TensorView work, TensorView out) {
  View v = view(x, "x", {F32}, 2, kRows), p = view(ptr, "ptr", {I32, I64}, 1), w = view(work, "work", {F64}, 1), o = view(out, "out", {F32}, 2);
  int64_t n = v.n(0), d = v.n(1), m = p.n(0) - 1;
  REQUIRE(ValueError, m >= 0) << "ptr must have an element";
  REQUIRE(ValueError, w.n(0) == d && o.n(0) == m && o.n(1) == d) << "work or out: wrong extents";
  REQUIRE(ValueError, reinterpret_cast<uintptr_t>(o.data) % 16 == 0 || o.numel == 0) << "out must be aligned to 16 bytes";
  auto at = [&](int64_t i) { return p.dtype == I32 ? int64_t(p.as<int32_t>()[i]) : p.as<int64_t>()[i]; };
  REQUIRE(ValueError, at(0) == 0 && at(m) == n) << "ptr must go from 0 to n";
  for (int64_t i = 0; i < m; ++i) REQUIRE(ValueError, at(i) <= at(i + 1)) << "ptr must not fall";
  for (int64_t s = 0; s < m; ++s) {
    std::fill(w.as<double>(), w.as<double>() + d, 0);
    for (int64_t i = at(s); i < at(s + 1); ++i)
      for (int64_t j = 0; j < d; ++j) w.as<double>()[j] += v.as<float>()[i * v.strides[0] + j];
    for (int64_t j = 0; j < d; ++j) o.as<float>()[s * d + j] = float(w.as<double>()[j]);
  }
}
// four elements from `from` on; behind the end the last one; `from` is brought within x
void Window(TensorView x, int64_t from, TensorView bias, TensorView out) {
  View v = view(x, "x", {F32}, 1), b = view(bias, "bias", {F32}, 0), o = view(out, "out", {F32}, 1);
  REQUIRE(ValueError, v.numel >= 1) << "x must not be empty";
  REQUIRE(ValueError, o.numel == 4) << "out must have four elements";
  from = std::clamp<int64_t>(from, 0, v.numel - 1);
  float got[4];
  for (int j = 0; j < 4; ++j) got[j] = v.as<float>()[std::min(from + j, v.numel - 1)] + b.as<float>()[0];
  std::copy(got, got + 4, o.as<float>());
}
// x in the order of perm, into out if there is one
Tensor Permute(Tensor x, TensorView perm, Optional<Tensor> out) {
  View v = view(x, "x", {F32}, 1), p = view(perm, "perm", {I64}, 1);
  same_shape(v, p, "x and perm");
  std::vector<bool> seen(v.numel, false);
  for (int64_t i = 0; i < v.numel; ++i) {
    int64_t k = p.as<int64_t>()[i];
    REQUIRE(IndexError, k >= 0 && k < v.numel) << "perm: no element " << k;
    REQUIRE(ValueError, !seen[k]) << "perm: " << k << " twice";
    seen[k] = true;
  }
  Tensor to;
  if (out.has_value()) {
    View o = view(out.value(), "out", {F32}, 1);
    same_shape(v, o, "x and out");
    to = out.value();
  } else {
    to = alloc(v.shape, F32);
  }
  std::vector<float> copy(v.as<float>(), v.as<float>() + v.numel);
  for (int64_t i = 0; i < v.numel; ++i) data<float>(to)[i] = copy[p.as<int64_t>()[i]];
  return to;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(segment_sum, SegmentSum);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(window, Window);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(permute, Permute);
int64_t Version() { return 3; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(version, Version);
