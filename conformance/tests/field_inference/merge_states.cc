// SPDX-License-Identifier: Apache-2.0
// Merges the partial attention outputs of several KV splits by their log-sum-exp (cascade inference).
namespace {

struct Part {
  const void* v;
  const float* s;
};

template <typename T>
void Merge(const std::vector<Part>& parts, int64_t rows, int64_t d, bool two, T* out, float* lse) {
#if BUG == 6
  static std::vector<double> acc;
  acc.resize(d);
#endif
  ParallelFor(rows, d * int64_t(parts.size()), [&](int64_t begin, int64_t end) {
#if BUG != 6
    std::vector<double> acc(d);
#endif
    std::vector<double> w(parts.size());
    for (int64_t r = begin; r < end; ++r) {
      double top = -INFINITY;
      for (const Part& p : parts) top = (p.s[r] > top || std::isnan(p.s[r])) ? double(p.s[r]) : top;
#if BUG != 5
      if (top == -INFINITY) {  // no split has seen a key
        for (int64_t j = 0; j < d; ++j) Store(out[r * d + j], 0.0);
        if (lse) lse[r] = -INFINITY;
        continue;
      }
#endif
      double sum = 0;
      for (size_t i = 0; i < parts.size(); ++i) {
        double x = double(parts[i].s[r]) - top;
        w[i] = two ? std::exp2(x) : std::exp(x);
        sum += w[i];
      }
      std::fill(acc.begin(), acc.end(), 0.0);
      for (size_t i = 0; i < parts.size(); ++i) {
        const T* v = static_cast<const T*>(parts[i].v) + r * d;
        for (int64_t j = 0; j < d; ++j) acc[j] += w[i] * Load(v[j]);
      }
      for (int64_t j = 0; j < d; ++j) Store(out[r * d + j], acc[j] / sum);
      if (lse) lse[r] = float(top + (two ? std::log2(sum) : std::log(sum)));
    }
  });
}

void merge_states(Array<Tensor> vs, Array<Tensor> lses, TensorView out, Optional<Tensor> lse_out, String base) {
  REQUIRE(!vs.empty(), ValueError) << "vs: at least one state is needed";
  REQUIRE(vs.size() == lses.size(), ValueError) << "vs and lses: " << vs.size() << " and " << lses.size() << " states";
  REQUIRE(base == "e" || base == "2", ValueError) << "base: expected \"e\" or \"2\", got \"" << base << "\"";
  CheckType(out, {kF32, kF16, kBF16}, "out");
  CheckRank(out, 3, "out");
  CheckPlace(out, "out");
  CheckContiguous(out, "out");
  std::vector<Part> parts;
  for (size_t i = 0; i < vs.size(); ++i) {
    Tensor vi = vs[i], si = lses[i];
    TensorView v = View(vi, "vs"), s = View(si, "lses");
    CheckType(v, {out.dtype()}, "vs");
    CheckRank(v, 3, "vs");
#if BUG == 1
    if (i == 0)
#endif
      for (int a = 0; a < 3; ++a) CheckSize(v, a, out.size(a), "vs");
    CheckPlace(v, "vs");
    CheckContiguous(v, "vs");
    CheckType(s, {kF32}, "lses");
    CheckRank(s, 2, "lses");
    for (int a = 0; a < 2; ++a) CheckSize(s, a, out.size(a), "lses");
    CheckPlace(s, "lses");
    CheckContiguous(s, "lses");
#if BUG == 2
    parts.push_back({Data<void>(v), static_cast<const float*>(s.data_ptr())});
#else
    parts.push_back({Data<void>(v), Data<float>(s)});
#endif
  }
  float* lse = nullptr;
#if BUG == 3
  {
#else
  if (lse_out.has_value()) {
#endif
    Tensor given = lse_out.value();
    TensorView l = given;
    CheckType(l, {kF32}, "lse_out");
    CheckRank(l, 2, "lse_out");
    for (int a = 0; a < 2; ++a) CheckSize(l, a, out.size(a), "lse_out");
    CheckPlace(l, "lse_out");
    CheckContiguous(l, "lse_out");
    lse = Data<float>(l);
  }
  if (out.size(0) == 0 || out.size(1) == 0) return;
  int64_t rows = out.size(0) * out.size(1), d = out.size(2);
#if BUG == 4
  if (out.dtype().bits == 16) return Merge(parts, rows, d, base == "2", Data<half_t>(out), lse);
#endif
  DispatchFloat(out.dtype(), [&](auto* t) {
    using T = std::remove_pointer_t<decltype(t)>;
    Merge<T>(parts, rows, d, base == "2", Data<T>(out), lse);
  });
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(merge_states, merge_states)
