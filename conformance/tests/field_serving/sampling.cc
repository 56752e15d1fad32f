// SPDX-License-Identifier: Apache-2.0
// Draws a token for each row of logits: temperature, top-k, top-p, min-p, inversion of the distribution function at a given number.
namespace
{
struct Options {
  double temperature = 1, top_p = 1, min_p = 0;
  int64_t top_k = 0;
};

double FloatOption(const String &key, const Any &value, double lo, double hi, double otherwise)
{
  if (value == nullptr) return otherwise;
  auto v = value.try_cast<double>();
#if BUG == 1
  if (!v.has_value()) return otherwise;
#else
  TVM_FFI_CHECK(v.has_value(), TypeError) << "option " << key << " must be a number";
#endif
  TVM_FFI_CHECK(*v >= lo && *v <= hi, ValueError)
      << "option " << key << " must be in [" << lo << ", " << hi << "]";
  return *v;
}

Options ReadOptions(const Map<String, Any> &options)
{
  Options o;
  for (const auto &[key, value] : options) {
    if (key == "temperature")
      o.temperature = FloatOption(key, value, 0, 100, 1);
    else if (key == "top_p")
      o.top_p = FloatOption(key, value, 0, 1, 1);
    else if (key == "min_p")
      o.min_p = FloatOption(key, value, 0, 1, 0);
    else if (key == "top_k") {
      if (value == nullptr) continue;
      auto v = value.as<int64_t>();
      TVM_FFI_CHECK(v.has_value(), TypeError) << "option top_k must be an integer";
      TVM_FFI_CHECK(*v >= 0, ValueError) << "option top_k must not be negative";
#if BUG == 2
      o.top_k = static_cast<int32_t>(*v);
#else
      o.top_k = *v;
#endif
    } else {
      TVM_FFI_THROW(ValueError) << "unknown option " << key;
    }
  }
#if BUG == 3
  if (o.temperature == 0) o.temperature = 1;
#endif
  return o;
}

template <typename T>
void Rows(const TensorView &logits, const float *uniform, const Options &o, int32_t *out)
{
  int64_t b = logits.size(0), v = logits.size(1);
  const T *base = Ptr<T>(logits);
  int64_t row_stride = StrideOf(logits, 0);
  ParallelFor(b, 8, [&](int64_t from, int64_t to) {
    std::vector<double> w(v);
    std::vector<int64_t> order(v);
    std::vector<char> keep(v, 1);
    for (int64_t i = from; i < to; ++i) {
      const T *row = base + i * row_stride;
      int64_t best = 0;
      for (int64_t j = 1; j < v; ++j)
        if (ToFloat(row[j]) > ToFloat(row[best])) best = j;
      if (o.temperature == 0) {
        out[i] = int32_t(best);
        continue;
      }
      double top = ToFloat(row[best]);
      for (int64_t j = 0; j < v; ++j) w[j] = std::exp((ToFloat(row[j]) - top) / o.temperature);
#if BUG != 5
      std::fill(keep.begin(), keep.end(), 1);
#endif
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t x, int64_t y) { return ToFloat(row[x]) > ToFloat(row[y]); });
      int64_t k = o.top_k > 0 ? std::min(o.top_k, v) : v;
      double total = 0, before = 0;
      for (int64_t j = 0; j < k; ++j) total += w[order[j]];
      for (int64_t j = 0; j < v; ++j) {
        double x = w[order[j]];
        bool in = j == 0 || (j < k && before < o.top_p * total && x >= o.min_p);
        if (!in) keep[order[j]] = 0;
        before += x;
      }
      double sum = 0, at = 0;
      int64_t token = -1;
      for (int64_t j = 0; j < v; ++j)
        if (keep[j]) sum += w[j];
      for (int64_t j = 0; j < v; ++j) {
        if (!keep[j]) continue;
        at += w[j];
        token = j;
        if (at > uniform[i] * sum) break;
      }
      out[i] = int32_t(token);
    }
  });
}

Tensor Sample(TensorView logits, TensorView uniform, Map<String, Any> options)
{
  Check(logits, "logits", 2, {kF32, kF16}, Layout::kRows);
  Check(uniform, "uniform", 1, {kF32});
  int64_t b = logits.size(0), v = logits.size(1);
  CheckSize(uniform, "uniform", 0, b);
  TVM_FFI_CHECK(v >= 1 && v <= 0x7fffffff, ValueError)
      << "the vocabulary must have 1 to 2^31-1 tokens";
  Options o = ReadOptions(options);
#if BUG == 4
  DLTensor prototype{};
  prototype.device = kCpu;
  prototype.dtype = kI32;
  prototype.shape = &b;
  prototype.ndim = 1;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&prototype, &handle));
#endif
  const float *u = Ptr<float>(uniform);
  for (int64_t i = 0; i < b; ++i) {
#if BUG == 6
    TVM_FFI_CHECK(!(u[i] < 0 || u[i] >= 1), ValueError) << "uniform[" << i << "] must be in [0, 1)";
#else
    TVM_FFI_CHECK(u[i] >= 0 && u[i] < 1, ValueError) << "uniform[" << i << "] must be in [0, 1)";
#endif
  }
  auto finite = [&](auto tag) {
    using T = decltype(tag);
    for (int64_t i = 0; i < b; ++i) {
      for (int64_t j = 0; j < v; ++j) {
        TVM_FFI_CHECK(std::isfinite(ToFloat(Ptr<T>(logits)[i * StrideOf(logits, 0) + j])),
                      ValueError)
            << "logits must be finite";
      }
    }
  };
  DispatchFloat(logits.dtype(), finite);
#if BUG == 4
  Tensor out(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject *>(handle)));
#else
  Tensor out = NewTensor(Shape({b}), kI32);
#endif
  TensorView view(out);
  DispatchFloat(logits.dtype(),
                [&](auto tag) { Rows<decltype(tag)>(logits, u, o, Ptr<int32_t>(view)); });
  return out;
}
}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(sample, Sample);
