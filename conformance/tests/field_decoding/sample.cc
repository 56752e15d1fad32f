// SPDX-License-Identifier: Apache-2.0
// Draws one token for each row of logits, by temperature, top-k and top-p, with uniform numbers
// that the caller gives: equal arguments draw equal tokens. Tokens are ordered by falling logits,
// equal ones by rising index. Temperature 0 takes the first of the largest. Optionally writes the
// probabilities after the filters.
#include <numeric>

namespace {

using namespace set;

Tensor Sample(TensorView logits_, TensorView uniform_, Optional<TensorView> temperature_,
              Optional<TensorView> top_k_, Optional<TensorView> top_p_,
              Optional<TensorView> probs_) {
  View logits = Look(logits_, "logits", 2, {kF32, kF16, kBF16});
  NeedRows(logits);
  const int64_t b = logits.shape[0], v = logits.shape[1];
  if (v < 1 || v > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "logits: rows must have 1 to 2^31 - 1 elements";
  }
  View uniform = Look(uniform_, "uniform", 1, {kF32});
  NeedShape(uniform, {b});
  NeedContiguous(uniform);
  View temperature, top_k, top_p, probs;
  if (temperature_.has_value()) {
    temperature = Look(temperature_.value(), "temperature", 1, {kF32});
    NeedShape(temperature, {b});
    NeedContiguous(temperature);
  }
  if (top_k_.has_value()) {
    top_k = Look(top_k_.value(), "top_k", 1, {kI32});
    NeedShape(top_k, {b});
    NeedContiguous(top_k);
  }
  if (top_p_.has_value()) {
    top_p = Look(top_p_.value(), "top_p", 1, {kF32});
    NeedShape(top_p, {b});
    NeedContiguous(top_p);
  }
  if (probs_.has_value()) {
    probs = Look(probs_.value(), "probs", 2, {kF32});
    NeedShape(probs, {b, v});
    NeedContiguous(probs);
  }

  for (int64_t r = 0; r < b; ++r) {
    const float u = *uniform.at<float>(r);
    if (!(u >= 0 && u < 1)) {
      TVM_FFI_THROW(ValueError) << "uniform: " << u << " of row " << r << " is not in [0, 1)";
    }
    if (temperature_.has_value()) {
      const float t = *temperature.at<float>(r);
      if (BUG != 7 && !(t >= 0 && std::isfinite(t))) {
        TVM_FFI_THROW(ValueError) << "temperature: " << t << " of row " << r
                                  << " is not a finite number >= 0";
      }
    }
    if (top_k_.has_value() && *top_k.at<int32_t>(r) < 1) {
      TVM_FFI_THROW(ValueError) << "top_k: " << *top_k.at<int32_t>(r) << " of row " << r
                                << " is not positive";
    }
    if (top_p_.has_value()) {
      const float p = *top_p.at<float>(r);
      if (!(p > 0 && p <= 1)) {
        TVM_FFI_THROW(ValueError) << "top_p: " << p << " of row " << r << " is not in (0, 1]";
      }
    }
  }

  std::vector<int32_t> drawn(b);
  ByFloat(logits.dtype, [&](auto tag) {
    using T = decltype(tag);
    // Refuse before anything is written.
    for (int64_t r = 0; r < b; ++r) {
      const T* row = logits.at<T>(r * logits.stride[0]);
      for (int64_t i = 0; i < v; ++i) {
        if (!std::isfinite(Get(row[i]))) {
          TVM_FFI_THROW(ValueError) << "logits: row " << r << " has a number that is not finite";
        }
      }
    }
    std::vector<double> x(v), e(v);
    std::vector<int32_t> order(v);
    for (int64_t r = 0; r < b; ++r) {
      const T* row = logits.at<T>(r * logits.stride[0]);
      for (int64_t i = 0; i < v; ++i) x[i] = Get(row[i]);
      std::iota(order.begin(), order.end(), 0);
      if (BUG == 8) {
        std::sort(order.begin(), order.end(),
                  [&](int32_t i, int32_t j) { return x[i] != x[j] ? x[i] > x[j] : i > j; });
      } else {
        std::sort(order.begin(), order.end(),
                  [&](int32_t i, int32_t j) { return x[i] != x[j] ? x[i] > x[j] : i < j; });
      }
      const double most = x[order[0]];
      const double t = temperature_.has_value() ? *temperature.at<float>(r) : 1.0;
      int64_t kept = v;
      if (top_k_.has_value()) {
        kept = *top_k.at<int32_t>(r);
        if (BUG != 1) kept = std::min(kept, v);
      }
      if (t == 0 && BUG != 3) kept = 1;
      for (int64_t i = 0; i < kept; ++i) {
        e[i] = t == 0 && BUG != 3 ? 1 : std::exp((x[order[i]] - most) / t);
      }
      double total = 0;
      for (int64_t i = 0; i < kept; ++i) total += e[i];
      if (top_p_.has_value()) {
        const double limit = static_cast<double>(*top_p.at<float>(r)) * total;
        double sum = 0;
        int64_t n = 0;
        while (n < kept) {
          sum += e[n++];
          if (sum >= limit) break;
        }
        if (BUG == 2 && n > 1) sum -= e[--n];
        kept = n;
        total = sum;
      }
      if (probs_.has_value()) {
        float* to = probs.at<float>(r * v);
        if (BUG != 6) std::fill(to, to + v, 0.0f);
        double norm = total;
        if (BUG == 4) {
          norm = 0;
          for (int64_t i = 0; i < v; ++i) norm += t == 0 ? e[0] : std::exp((x[i] - most) / t);
        }
        for (int64_t i = 0; i < kept; ++i) to[order[i]] = static_cast<float>(e[i] / norm);
      }
      const double mark = static_cast<double>(*uniform.at<float>(BUG == 5 ? 0 : r)) * total;
      double sum = 0;
      int64_t chosen = kept - 1;
      for (int64_t i = 0; i < kept; ++i) {
        sum += e[i];
        if (sum > mark) {
          chosen = i;
          break;
        }
      }
      drawn[r] = order[chosen];
    }
  });

#if BUG == 9
  Tensor tokens = b == 1 ? NewTensor({}, kI32, logits.device) : NewTensor({b}, kI32, logits.device);
#else
  Tensor tokens = NewTensor({b}, kI32, logits.device);
#endif
  if (b != 0) std::memcpy(Data(tokens), drawn.data(), b * sizeof(int32_t));
  return tokens;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample, Sample);
