// SPDX-License-Identifier: Apache-2.0
// Norms of rows, over threads of OpenMP.
// where row r of v starts, in elements
inline int64_t row_at(const View& v, int64_t r) {
  int64_t at = 0;
  for (int k = int(v.shape.size()) - 2; k >= 0; --k) at += r % v.shape[k] * v.strides[k], r /= v.shape[k];
  return at;
}
void RmsNorm(TensorView x, Optional<Tensor> weight, double eps, TensorView out) {
  View v = view(x, "x", {F32, F16, BF16}, -1, kRows), o = view(out, "out", {F32, F16, BF16}, -1), w;
  REQUIRE(ValueError, v.shape.size() >= 1) << "x must have a dimension";
  same_shape(v, o, "x and out");
  same_dtype(v, o, "x and out");
  REQUIRE(ValueError, eps >= 0 && eps <= 1) << "eps must be from 0 to 1";
  int64_t d = v.shape.back();
  REQUIRE(ValueError, d >= 1) << "rows must not be empty";
  if (weight.has_value()) {
    w = view(weight.value(), "weight", {v.dtype}, 1);
    REQUIRE(ValueError, w.n(0) == d || w.n(0) == 1) << "weight must have one element, or one for each of a row";
  }
  if (v.numel == 0) return;
  loop_omp(v.numel / d, [&](int64_t a, int64_t b) {
    for (int64_t r = a; r < b; ++r) {
      int64_t at = row_at(v, r);
      double sum = 0;
      for (int64_t j = 0; j < d; ++j) sum += load(v, at + j) * load(v, at + j);
      double factor = 1 / std::sqrt(sum / double(d) + eps);
      for (int64_t j = 0; j < d; ++j)
        store(o, r * d + j, load(v, at + j) * factor * (weight.has_value() ? load(w, w.n(0) == 1 ? 0 : j) : 1));
    }
  });
}
// mean, and if it is wanted the deviation, of each row; any strides are followed
void RowStats(TensorView x, TensorView mean, Optional<Tensor> dev) {
  View v = view(x, "x", {F32}, 2, kStrided), m = view(mean, "mean", {F32}, 1), s;
  REQUIRE(ValueError, v.n(1) >= 1) << "rows must not be empty";
  REQUIRE(ValueError, m.n(0) == v.n(0)) << "mean must have an element for each row";
  if (dev.has_value()) {
    s = view(dev.value(), "dev", {F32}, 1);
    REQUIRE(ValueError, s.n(0) == v.n(0)) << "dev must have an element for each row";
  }
  int64_t d = v.n(1);
  loop_omp(v.n(0), [&](int64_t a, int64_t b) {
    for (int64_t r = a; r < b; ++r) {
      const float* row = v.as<float>() + r * v.strides[0];
      double sum = 0, square = 0;
      for (int64_t j = 0; j < d; ++j) sum += row[j * v.strides[1]];
      double mid = sum / double(d);
      for (int64_t j = 0; j < d; ++j) square += (row[j * v.strides[1]] - mid) * (row[j * v.strides[1]] - mid);
      m.as<float>()[r] = float(mid);
      if (dev.has_value()) s.as<float>()[r] = float(std::sqrt(square / double(d)));
    }
  });
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(rms_norm, RmsNorm);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(row_stats, RowStats);
