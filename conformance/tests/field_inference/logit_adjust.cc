// SPDX-License-Identifier: Apache-2.0
// Repetition, presence and frequency penalties over the tokens seen so far, and a bias by token.
namespace {

struct Options {
  double repetition = 1, presence = 0, frequency = 0;
};

Options Read(const Map<String, Any>& options) {
  Options o;
  for (auto kv : options) {
    std::string key = kv.first;
    double* to = key == "repetition" ? &o.repetition : key == "presence" ? &o.presence : key == "frequency" ? &o.frequency : nullptr;
#if BUG == 2
    if (to == nullptr) continue;
#else
    REQUIRE(to != nullptr, ValueError) << "options: unknown key \"" << key << "\"";
#endif
    auto value = kv.second.try_cast<double>();
    REQUIRE(value.has_value(), TypeError) << "options: \"" << key << "\" is no number";
    *to = *value;
  }
  REQUIRE(o.repetition >= 0.01 && o.repetition <= 100, ValueError) << "options: repetition has to be between 0.01 and 100";
  REQUIRE(o.presence >= -2 && o.presence <= 2, ValueError) << "options: presence has to be between -2 and 2";
  REQUIRE(o.frequency >= -2 && o.frequency <= 2, ValueError) << "options: frequency has to be between -2 and 2";
  return o;
}

template <typename T, typename I>
int64_t Penalize(T* x, const I* seen, int64_t b, int64_t v, int64_t h, const Options& o) {
  std::atomic<int64_t> touched{0};
  ParallelFor(b, h, [&](int64_t begin, int64_t end) {
#if BUG == 5
    static thread_local std::vector<int32_t> counts;
    if (int64_t(counts.size()) < v) counts.resize(v);
#else
    std::vector<int32_t> counts(v);
#endif
    int64_t mine = 0;
    for (int64_t r = begin; r < end; ++r) {
      T* row = x + r * v;
      const I* ids = seen + r * h;
      for (int64_t k = 0; k < h; ++k)
        if (ids[k] >= 0) ++counts[ids[k]];
      for (int64_t k = 0; k < h; ++k) {
        if (ids[k] < 0 || counts[ids[k]] == 0) continue;  // padding, or done
        int32_t count = counts[ids[k]];
        double y = Load(row[ids[k]]);
        ++mine;
#if BUG == 6
        y = y / o.repetition;
#else
        y = y > 0 ? y / o.repetition : y * o.repetition;
#endif
#if BUG == 5
        if (o.presence == 0 && o.frequency == 0) {
          Store(row[ids[k]], y);
          continue;
        }
#endif
        Store(row[ids[k]], y - o.presence - o.frequency * count);
        counts[ids[k]] = 0;
      }
    }
    touched += mine;
  });
  return touched;
}

template <typename I>
void CheckHistory(const I* seen, int64_t n, int64_t v) {
  for (int64_t i = 0; i < n; ++i)
#if BUG == 1
    REQUIRE(seen[i] >= -1 && int64_t(seen[i]) <= v, IndexError) << "history: " << seen[i] << " is not a token";
#else
    REQUIRE(seen[i] >= -1 && int64_t(seen[i]) < v, IndexError) << "history: " << seen[i] << " is not a token";
#endif
}

Map<String, int64_t> apply_penalties(TensorView logits, TensorView history, Map<String, Any> options,
                                     Optional<Map<int64_t, double>> bias) {
  CheckType(logits, {kF32, kF16, kBF16}, "logits");
  CheckRank(logits, 2, "logits");
  CheckPlace(logits, "logits");
  CheckContiguous(logits, "logits");
  CheckType(history, {kI32, kI64}, "history");
  CheckRank(history, 2, "history");
  CheckSize(history, 0, logits.size(0), "history");
  CheckPlace(history, "history");
  CheckContiguous(history, "history");
  Options o = Read(options);
  int64_t b = logits.size(0), v = logits.size(1), h = history.size(1), touched = 0;
  bool wide = history.dtype().bits == 64;
  if (wide)
    CheckHistory(Data<int64_t>(history), b * h, v);
  else
    CheckHistory(Data<int32_t>(history), b * h, v);
#if BUG != 4
  if (bias.has_value())
    for (auto kv : bias.value()) {
#if BUG == 3
      REQUIRE(kv.first < v, IndexError) << "bias: " << kv.first << " is not a token";
#else
      REQUIRE(kv.first >= 0 && kv.first < v, IndexError) << "bias: " << kv.first << " is not a token";
#endif
      REQUIRE(std::isfinite(kv.second), ValueError) << "bias: has to be finite";
    }
#endif
  DispatchFloat(logits.dtype(), [&](auto* t) {
    using T = std::remove_pointer_t<decltype(t)>;
    T* x = Data<T>(logits);
    touched = wide ? Penalize(x, Data<int64_t>(history), b, v, h, o) : Penalize(x, Data<int32_t>(history), b, v, h, o);
    if (!bias.has_value()) return;
    for (auto kv : bias.value()) {
#if BUG == 4
      REQUIRE(kv.first >= 0 && kv.first < v, IndexError) << "bias: " << kv.first << " is not a token";
      REQUIRE(std::isfinite(kv.second), ValueError) << "bias: has to be finite";
#endif
      for (int64_t r = 0; r < b; ++r) Store(x[r * v + kv.first], Load(x[r * v + kv.first]) + kv.second);
    }
  });
  Map<String, int64_t> out;
  out.Set("rows", b);
  out.Set("touched", touched);
  return out;
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(apply_penalties, apply_penalties)
