// SPDX-License-Identifier: Apache-2.0
// Epilogue of an int8 GEMM with zero points: out = scale_a * scale_b * (acc - azp * azp_adj) + bias
#if BUG == 3
#define BIAS_AS(T) Half
#else
#define BIAS_AS(T) T
#endif

namespace {

struct Job {
  int64_t m, n, acc_stride, out_stride;
  const int32_t* acc;
  double scale;
  const float* scale_a;
  const float* scale_b;
  const int32_t* azp;
  const int32_t* azp_adj;
  const void* bias;
  void* out;
};

template <class T>
void FillBias(const Job& j) {
  for (int64_t r = 0; r < j.m; ++r) {
    T* o = static_cast<T*>(j.out) + r * j.out_stride;
    for (int64_t c = 0; c < j.n; ++c)
      o[c] = j.bias ? static_cast<const T*>(j.bias)[c] : FromDouble<T>(0);
  }
}

template <class T>
void Run(const Job& j) {
  using B = std::conditional_t<std::is_same_v<T, BFloat>, BIAS_AS(T), T>;
  ParallelFor(j.m, j.m * j.n > 65536 ? 2 : 1, [&](int64_t lo, int64_t hi, int64_t) {
    for (int64_t r = lo; r < hi; ++r) {
      const int32_t* a = j.acc + r * j.acc_stride;
      T* o = static_cast<T*>(j.out) + r * j.out_stride;
      double sa = j.scale_a ? static_cast<double>(j.scale_a[r]) : j.scale;
      for (int64_t c = 0; c < j.n; ++c) {
        int64_t v = a[c];
        if (j.azp) {
#if BUG == 5
          v -= static_cast<int32_t>(static_cast<uint32_t>(j.azp[r]) * static_cast<uint32_t>(j.azp_adj[c]));
#else
          v -= static_cast<int64_t>(j.azp[r]) * j.azp_adj[c];
#endif
        }
        double y = sa * static_cast<double>(j.scale_b[c]) * static_cast<double>(v);
        if (j.bias) y += static_cast<double>(static_cast<const B*>(j.bias)[c]);
        o[c] = FromDouble<T>(y);
      }
    }
  });
}

int64_t RowStride(const TensorView& t) { return t.IsContiguous() ? t.size(1) : t.stride(0); }

void AzpEpilogue(TensorView acc, Variant<double, Tensor> scale_a, TensorView scale_b, Optional<TensorView> azp,
                 Optional<TensorView> azp_adj, Optional<TensorView> bias, TensorView out) {
  CheckTensor(acc, "acc", {kI32}, 2);
  CheckRows(acc, "acc");
  CheckTensor(scale_b, "scale_b", {kF32}, 1);
  CheckTensor(out, "out", {kF16, kBF16, kF32}, 2);
  CheckRows(out, "out");
  int64_t m = acc.size(0), n = acc.size(1);
  CheckDim(scale_b, "scale_b", 0, n);
  CheckContiguous(scale_b, "scale_b");
  CheckDim(out, "out", 0, m);
  CheckDim(out, "out", 1, n);
  REQUIRE(m <= 1 || out.IsContiguous() || std::abs(out.stride(0)) >= n, ValueError) << "out: rows overlap";

  Job j{};
  j.m = m;
  j.n = n;
  j.acc = Ptr<int32_t>(acc);
  j.scale_b = Ptr<float>(scale_b);
  j.out = Ptr<void>(out);
#if BUG == 2
  j.acc_stride = n;
#else
  j.acc_stride = RowStride(acc);
#endif
  j.out_stride = RowStride(out);

  if (bias.has_value()) {
    TensorView b = bias.value();
#if BUG == 4
    CheckTensor(b, "bias", {kF16, kBF16, kF32}, 1);
#else
    CheckTensor(b, "bias", {out.dtype()}, 1);
#endif
    CheckDim(b, "bias", 0, n);
    CheckContiguous(b, "bias");
    j.bias = Ptr<void>(b);
  }
#if BUG == 1
  if (azp.has_value() && azp_adj.has_value()) {
#else
  REQUIRE(azp.has_value() == azp_adj.has_value(), ValueError) << "azp and azp_adj have to be given both or neither";
  if (azp.has_value()) {
#endif
    TensorView z = azp.value(), adj = azp_adj.value();
    CheckTensor(z, "azp", {kI32}, 1);
    CheckDim(z, "azp", 0, m);
    CheckContiguous(z, "azp");
    CheckTensor(adj, "azp_adj", {kI32}, 1);
    CheckDim(adj, "azp_adj", 0, n);
    CheckContiguous(adj, "azp_adj");
    j.azp = Ptr<int32_t>(z);
    j.azp_adj = Ptr<int32_t>(adj);
  }
#if BUG == 6
  if (Is(out.dtype(), kF32)) FillBias<float>(j);
  else FillBias<Half>(j);
#endif
  Tensor held;
  if (auto t = scale_a.as<Tensor>()) {
    held = *t;
    TensorView s = View(held, "scale_a");
    CheckTensor(s, "scale_a", {kF32}, 1);
    CheckDim(s, "scale_a", 0, m);
    CheckContiguous(s, "scale_a");
    j.scale_a = Ptr<float>(s);
  } else {
    j.scale = scale_a.get<double>();
    REQUIRE(j.scale > 0 && std::isfinite(j.scale), ValueError) << "scale_a: has to be positive and finite, got " << j.scale;
  }
  if (m == 0 || n == 0) return;
  if (Is(out.dtype(), kF32)) Run<float>(j);
  else if (Is(out.dtype(), kF16)) Run<Half>(j);
  else Run<BFloat>(j);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(azp_epilogue, AzpEpilogue);
