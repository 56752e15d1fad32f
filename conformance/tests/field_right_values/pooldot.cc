// SPDX-License-Identifier: Apache-2.0
// Work of a pool of threads that is kept.
double Dot(TensorView x, TensorView y) {
  View a = view(x, "x", {F32}, 1, kStrided), b = view(y, "y", {F32}, 1, kStrided);
  same_shape(a, b, "x and y");
  constexpr int64_t kBlock = 256;
  std::vector<double> parts((a.numel + kBlock - 1) / kBlock, 0);
  Pool::get().run(a.numel, kBlock, [&](int64_t from, int64_t to) {
    double s = 0;
    for (int64_t i = from; i < to; ++i) s += double(a.as<float>()[i * a.strides[0]]) * b.as<float>()[i * b.strides[0]];
    parts[from / kBlock] = s;
  });
  double sum = 0;
  for (double p : parts) sum += p;
  return sum;
}
// counts of numbers, added to `counts`; weights of them to `mass`, if that is wanted
void Histogram(TensorView ids, int64_t bins, TensorView counts, Optional<Tensor> mass) {
  View v = view(ids, "ids", {I32}, 1), c = view(counts, "counts", {I64}, 1), w;
  REQUIRE(ValueError, bins >= 1 && bins <= 64) << "bins must be from 1 to 64";
  REQUIRE(ValueError, c.numel == bins) << "counts must have an element for each bin";
  if (mass.has_value()) {
    w = view(mass.value(), "mass", {F64}, 1);
    REQUIRE(ValueError, w.numel == bins) << "mass must have an element for each bin";
  }
  const int32_t* id = v.as<int32_t>();
  for (int64_t i = 0; i < v.numel; ++i) REQUIRE(IndexError, id[i] >= 0 && id[i] < bins) << "ids: " << id[i] << " is not a bin";
  std::vector<std::atomic<int64_t>> found(bins);
  for (auto& f : found) f = 0;
  Pool::get().run(v.numel, 128, [&](int64_t from, int64_t to) {
    int64_t mine[64] = {};
    for (int64_t i = from; i < to; ++i) ++mine[id[i]];
    for (int64_t b = 0; b < bins; ++b) found[b] += mine[b];
  });
  for (int64_t b = 0; b < bins; ++b) {
    c.as<int64_t>()[b] = int64_t(uint64_t(c.as<int64_t>()[b]) + uint64_t(found[b].load()));
    if (mass.has_value()) w.as<double>()[b] = v.numel ? double(found[b]) / double(v.numel) : 0;
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dot, Dot);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(histogram, Histogram);
