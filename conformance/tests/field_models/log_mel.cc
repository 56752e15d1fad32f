// SPDX-License-Identifier: Apache-2.0
// Log-mel features of speech models, from power spectra and a bank of filters.
using namespace q1;

static void log_mel(TensorView power, TensorView bank, Optional<Tensor> lengths, Map<String, Any> options,
                    TensorView out) {
  check_rank(power, 3, "power");
  check_rank(bank, 2, "bank");
  check_rank(out, 3, "out");
  const DLDataType T = power.dtype();
  REQUIRE(same(T, kF32) || same(T, kF64), TypeError, "power: expected float32 or float64");
  check_dtype(bank, kF32, "bank");
  check_dtype(out, T, "out");
  const int64_t b = power.shape()[0], f = power.shape()[1], t = power.shape()[2], m = bank.shape()[0];
  check_size(bank, 1, f, "bank");
  check_size(out, 0, b, "out");
  check_size(out, 1, m, "out");
  check_size(out, 2, t, "out");
  for (auto x : {&power, &bank, &out}) {
    check_cpu(*x, "tensor");
    check_aligned(*x, "tensor");
  }
  check_contiguous(bank, "bank");
  check_contiguous(out, "out");

  String mode;
#if BUG == 2
  static double lowest = 1e-10;
#else
  double lowest = 1e-10;
#endif
  double top_db = 0;
  bool has_mode = false, has_top = false;
  for (const auto& [key, value] : options) {
    if (key == "mode") {
      auto text = value.try_cast<String>();
      REQUIRE(text.has_value(), TypeError, "options: mode must be a string");
      mode = *text;
      has_mode = true;
    } else if (key == "floor") {
      if (value == nullptr) continue;
      auto number = value.try_cast<double>();
      REQUIRE(number.has_value(), TypeError, "options: floor must be a number");
      REQUIRE(*number >= 1e-20 && *number <= 1, ValueError, "options: floor must be in [1e-20, 1]");
      lowest = *number;
    } else if (key == "top_db") {
      if (value == nullptr) continue;
      auto number = value.try_cast<double>();
      REQUIRE(number.has_value(), TypeError, "options: top_db must be a number");
      REQUIRE(*number >= 0 && *number <= 400, ValueError, "options: top_db must be in [0, 400]");
      top_db = *number;
      has_top = true;
    } else {
#if BUG != 5
      TVM_FFI_THROW(ValueError) << "options: unknown key " << std::string(key);
#endif
    }
  }
  REQUIRE(has_mode, ValueError, "options: no mode");
  REQUIRE(mode == "whisper" || mode == "db" || mode == "ln", ValueError, "options: unknown mode");
  REQUIRE(!has_top || mode == "db", ValueError, "options: top_db is of mode db");
#if BUG == 1
  if (mode == "db") lowest = 1e-10;
#endif
  const int32_t* lp = nullptr;
  if (lengths.has_value()) {
    TensorView l = view(lengths);
    check_rank(l, 1, "lengths");
    check_dtype(l, kI32, "lengths");
    check_size(l, 0, b, "lengths");
    check_cpu(l, "lengths");
    check_contiguous(l, "lengths");
    check_aligned(l, "lengths");
    lp = ptr<int32_t>(l);
    for (int64_t i = 0; i < b; ++i) {
#if BUG == 3
      REQUIRE(lp[i] >= 0, ValueError, "lengths: " << lp[i] << " is out of range");
#else
      REQUIRE(lp[i] >= 0 && lp[i] <= t, ValueError, "lengths: " << lp[i] << " is out of range");
#endif
    }
  }
  auto s = strides_of(power);
#if BUG == 6
  s[1] = t * s[2];
#endif
  const char* pp = base(power);
  const float* bp = ptr<float>(bank);
  char* op = base(out);
  parallel_for(b, grain(1.0 * m * t * f), [&](int64_t i) {
    const int64_t length = lp ? lp[i] : t;
    double top = -std::numeric_limits<double>::infinity();
    for (int64_t k = 0; k < m; ++k) {
      for (int64_t j = 0; j < t; ++j) {
        double sum = 0;
        for (int64_t e = 0; e < f; ++e) sum += bp[k * f + e] * load(pp, i * s[0] + e * s[1] + j * s[2], T);
        double v = std::max(lowest, sum);
        v = mode == "whisper" ? std::log10(v) : mode == "db" ? 10 * std::log10(v) : std::log(v);
#if BUG != 4
        if (j < length)
#endif
          top = std::max(top, v);
        store(op, (i * m + k) * t + j, T, v);
      }
    }
    for (int64_t k = 0; k < m; ++k) {
      const int64_t at = (i * m + k) * t;
      for (int64_t j = 0; j < length; ++j) {
        double v = load(op, at + j, T);
        if (mode == "whisper") v = (std::max(v, top - 8) + 4) / 4;
        if (mode == "db" && has_top) v = std::max(v, top - top_db);
        store(op, at + j, T, v);
      }
      for (int64_t j = length; j < t; ++j) store(op, at + j, T, 0);
    }
  });
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(log_mel, log_mel);
