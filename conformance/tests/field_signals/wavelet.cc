// SPDX-License-Identifier: Apache-2.0
// Periodic orthogonal wavelets of rows: decomposition, and denoising with a function that shrinks details.

namespace {

struct Bank {
  std::vector<double> low, high;
};

Bank BankOf(const String& name) {
  Bank b;
  if (name == "haar") {
    b.low = {0.70710678118654752440, 0.70710678118654752440};
  } else if (name == "db2") {
    b.low = {0.48296291314453414337, 0.83651630373780790558, 0.22414386804201338103, -0.12940952255126038117};
  } else {
    TVM_FFI_THROW(ValueError) << "wavelet: has to be \"haar\" or \"db2\", got \"" << name << "\"";
  }
  size_t k = b.low.size();
  b.high.resize(k);
  for (size_t i = 0; i < k; ++i) b.high[i] = (i % 2 ? -1 : 1) * b.low[k - 1 - i];
  return b;
}

void Split(const Bank& bank, const double* x, int64_t rows, int64_t n, double* approx, double* detail) {
  int64_t taps = static_cast<int64_t>(bank.low.size());
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < n / 2; ++i) {
      double a = 0, d = 0;
      for (int64_t k = 0; k < taps; ++k) {
#if BUG == 5
        double v = x[r * n + std::min(2 * i + k, n - 1)];
#else
        double v = x[r * n + (2 * i + k) % n];
#endif
        a += bank.low[k] * v;
        d += bank.high[k] * v;
      }
      approx[r * (n / 2) + i] = a;
      detail[r * (n / 2) + i] = d;
    }
  }
}

void Merge(const Bank& bank, const double* approx, const double* detail, int64_t rows, int64_t n, double* x) {
  int64_t taps = static_cast<int64_t>(bank.low.size());
  std::fill(x, x + rows * n, 0.0);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < n / 2; ++i)
      for (int64_t k = 0; k < taps; ++k)
        x[r * n + (2 * i + k) % n] +=
            bank.low[k] * approx[r * (n / 2) + i] + bank.high[k] * detail[r * (n / 2) + i];
}

std::vector<double> Widen(const TensorView& t) {
  std::vector<double> v(t.numel());
  if (Is(t.dtype(), kF32)) std::copy_n(Ptr<float>(t), v.size(), v.begin());
  else std::copy_n(Ptr<double>(t), v.size(), v.begin());
  return v;
}

void Narrow(const std::vector<double>& v, const TensorView& t) {
  if (Is(t.dtype(), kF32)) std::transform(v.begin(), v.end(), Ptr<float>(t), [](double d) { return static_cast<float>(d); });
  else std::copy_n(v.begin(), v.size(), Ptr<double>(t));
}

void CheckInput(const TensorView& x, int64_t levels) {
  CheckTensor(x, "x", {kF32, kF64}, 2);
  CheckContiguous(x, "x");
  REQUIRE(levels >= 1 && levels <= 16, ValueError) << "levels: has to be 1 to 16, got " << levels;
  int64_t n = x.size(1);
#if BUG == 4
  REQUIRE(n > 0 && n % 2 == 0 && n >> levels > 0, ValueError)
#else
  REQUIRE(n > 0 && n % (int64_t{1} << levels) == 0, ValueError)
#endif
      << "x: " << n << " columns can't be halved " << levels << " times";
}

Array<Tensor> Dwt(TensorView x, String wavelet, int64_t levels) {
  CheckInput(x, levels);
  Bank bank = BankOf(wavelet);
  int64_t rows = x.size(0), n = x.size(1);
  std::vector<double> now = Widen(x);
  Array<Tensor> parts;
  for (int64_t level = 0; level < levels; ++level, n /= 2) {
    std::vector<double> approx(rows * (n / 2)), detail(rows * (n / 2));
    Split(bank, now.data(), rows, n, approx.data(), detail.data());
    Tensor t = Alloc({rows, n / 2}, x.dtype(), x.device());
    Narrow(detail, TensorView(t));
    parts.push_back(t);
    now = std::move(approx);
  }
  Tensor t = Alloc({rows, n}, x.dtype(), x.device());
  Narrow(now, TensorView(t));
  parts.push_back(t);
  return parts;
}

void Denoise(TensorView x, String wavelet, int64_t levels, Function shrink, TensorView out) {
  CheckInput(x, levels);
  Bank bank = BankOf(wavelet);
  REQUIRE(shrink != nullptr, TypeError) << "shrink: expected a function, got None";
  CheckTensor(out, "out", {x.dtype()}, 2);
  CheckContiguous(out, "out");
  int64_t rows = x.size(0), n = x.size(1);
  CheckDim(out, "out", 0, rows);
  CheckDim(out, "out", 1, n);

  std::vector<double> now = Widen(x);
  std::vector<std::vector<double>> details;
  for (int64_t level = 1; level <= levels; ++level, n /= 2) {
    std::vector<double> approx(rows * (n / 2)), detail(rows * (n / 2));
    Split(bank, now.data(), rows, n, approx.data(), detail.data());
    now = std::move(approx);
#if BUG == 6
    // the rows of the output hold what is left to split
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < n / 2; ++i) {
        if (Is(x.dtype(), kF32)) Ptr<float>(out)[r * out.size(1) + i] = static_cast<float>(now[r * (n / 2) + i]);
        else Ptr<double>(out)[r * out.size(1) + i] = now[r * (n / 2) + i];
      }
#endif
    Tensor given = Alloc({rows, n / 2}, x.dtype(), x.device());
    Narrow(detail, TensorView(given));
#if BUG == 2
    Any result = shrink(given, level);
    REQUIRE(result.as<Tensor>().has_value(), TypeError) << "shrink: did not return a tensor";
    details.push_back(Widen(TensorView(given)));
#elif BUG == 3
    DLTensor view{};
    {
      Tensor got = shrink(given, level).cast<Tensor>();
      TensorView t = View(got, "shrink");
      CheckTensor(t, "shrink", {x.dtype()}, 2);
      CheckContiguous(t, "shrink");
      CheckDim(t, "shrink", 0, rows);
      CheckDim(t, "shrink", 1, n / 2);
      view = *got.GetDLTensorPtr();
    }
    given = Tensor();
    details.push_back(std::vector<double>(rows * (n / 2)));
    const char* from = static_cast<const char*>(view.data) + view.byte_offset;
    for (int64_t i = 0; i < rows * (n / 2); ++i)
      details.back()[i] = Is(x.dtype(), kF32) ? reinterpret_cast<const float*>(from)[i] : reinterpret_cast<const double*>(from)[i];
#else
    Tensor got = shrink(given, level).cast<Tensor>();
    TensorView t = View(got, "shrink");
    CheckTensor(t, "shrink", {x.dtype()}, 2);
    CheckContiguous(t, "shrink");
#if BUG != 1
    CheckDim(t, "shrink", 0, rows);
    CheckDim(t, "shrink", 1, n / 2);
#endif
    details.push_back(Widen(t));
#endif
  }
  for (int64_t level = levels; level >= 1; --level) {
    n *= 2;
    std::vector<double> whole(rows * n);
    Merge(bank, now.data(), details[level - 1].data(), rows, n, whole.data());
    now = std::move(whole);
  }
  Narrow(now, out);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dwt, Dwt);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(wavelet_denoise, Denoise);
