// SPDX-License-Identifier: Apache-2.0
// Statistics of the last `window` elements at each place. NaN elements are skipped; fewer than
// `min_periods` others give NaN.
namespace {

template <typename T>
void Run(const DLTensor* x, int64_t window, std::string_view stat, int64_t least, DLTensor* out) {
  const T* in = kit::Cells<T>(*x, "x", {kit::kAny});
  const int64_t n = x->shape[0];
  T* to = kit::Cells<T>(*out, "out", {n});
  std::vector<double> valid;
  for (int64_t i = 0; i < n; ++i) {
    valid.clear();
    for (int64_t k = std::max<int64_t>(0, i + 1 - window); k <= i; ++k) {
      if (!std::isnan(in[k])) valid.push_back(static_cast<double>(in[k]));
    }
    const int64_t have = static_cast<int64_t>(valid.size());
    if (have == 0 || have < least) {
      to[i] = std::numeric_limits<T>::quiet_NaN();
      continue;
    }
    double answer;
    if (stat == "min") {
      answer = *std::min_element(valid.begin(), valid.end());
    } else if (stat == "max") {
      answer = *std::max_element(valid.begin(), valid.end());
    } else {
      // Relative to the first one: of equal elements the deviation is 0, not almost 0.
      const double base = valid[0];
      double sum = 0;
      for (double v : valid) sum += v - base;
      const double mean = sum / static_cast<double>(have);
      if (stat == "mean") {
        answer = base + mean;
      } else {
        double squares = 0;
        for (double v : valid) squares += (v - base - mean) * (v - base - mean);
        answer = std::sqrt(squares / static_cast<double>(have));
      }
    }
    to[i] = static_cast<T>(answer);
  }
}

void Rolling(DLTensor* x, int64_t window, kit::ffi::String stat,
             kit::ffi::Optional<int64_t> min_periods, DLTensor* out) {
  if (x == nullptr || out == nullptr) TVM_FFI_THROW(TypeError) << "a tensor is None";
  const std::string_view name(stat.data(), stat.size());
  if (name != "mean" && name != "std" && name != "min" && name != "max") {
    TVM_FFI_THROW(ValueError) << "no such statistic: " << name;
  }
  if (window < 1 || window > 4096) {
    TVM_FFI_THROW(ValueError) << "window must be from 1 to 4096, not " << window;
  }
  const int64_t least = min_periods.has_value() ? *min_periods : window;
  if (least < 1 || least > window) {
    TVM_FFI_THROW(ValueError) << "min_periods must be from 1 to window, not " << least;
  }
  if (kit::SameType(x->dtype, kit::TypeOf<float>())) {
    Run<float>(x, window, name, least, out);
  } else if (kit::SameType(x->dtype, kit::TypeOf<double>())) {
    Run<double>(x, window, name, least, out);
  } else {
    TVM_FFI_THROW(TypeError) << "x must be float32 or float64";
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(rolling, Rolling);
