// SPDX-License-Identifier: Apache-2.0
// Aggregates a column by the keys of another one.
namespace host {

// Masks are read as bytes: any but 0 is true.
enum class Agg { kSum, kMean, kMin, kMax };

template <typename K>
struct Groups {
  std::vector<K> keys;           // of the groups
  std::vector<int64_t> of_row;   // group of each row
};

template <typename K>
Groups<K> FindGroups(const K* keys, int64_t n, bool sorted) {
  Groups<K> g;
#if BUG == 2
  std::unordered_map<int32_t, int64_t> seen;
  const auto code = [](K key) { return static_cast<int32_t>(key); };
#else
  std::unordered_map<K, int64_t> seen;
  const auto code = [](K key) { return key; };
#endif
  g.of_row.resize(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const auto it = seen.emplace(code(keys[i]), static_cast<int64_t>(g.keys.size()));
    if (it.second) g.keys.push_back(keys[i]);
    g.of_row[i] = it.first->second;
  }
  if (BUG == 3 ? !sorted : sorted) {
    std::vector<int64_t> order(g.keys.size()), rank(g.keys.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return g.keys[a] < g.keys[b]; });
    std::vector<K> keys_in_order;
    for (size_t i = 0; i < order.size(); ++i) {
      keys_in_order.push_back(g.keys[order[i]]);
      rank[order[i]] = static_cast<int64_t>(i);
    }
    g.keys = std::move(keys_in_order);
    for (int64_t& group : g.of_row) group = rank[group];
  }
  return g;
}

template <typename V>
bool NotANumber(V v) {
  if constexpr (std::is_floating_point_v<V>) return std::isnan(v);
  return v != v;
}

// Values of the groups; of a group without values 0, or NaN for means and extremes of floats.
template <typename V>
std::vector<V> Aggregate(const V* values, const uint8_t* valid, const std::vector<int64_t>& of_row,
                         size_t groups, Agg agg, std::vector<int64_t>* counts) {
  using Sum = std::conditional_t<std::is_floating_point_v<V>, double, uint64_t>;
  std::vector<Sum> sums(groups, Sum{0});
#if BUG == 4
  std::vector<V> best(groups, agg == Agg::kMax ? std::numeric_limits<V>::min()
                                               : std::numeric_limits<V>::max());
#else
  std::vector<V> best(groups, V{0});
#endif
  counts->assign(groups, 0);
  for (size_t i = 0; i < of_row.size(); ++i) {
    const int64_t g = of_row[i];
    if (valid != nullptr && !valid[i]) {
#if BUG == 1
      ++(*counts)[g];
#endif
      continue;
    }
    const V v = values[i];
    sums[g] += static_cast<Sum>(v);
#if BUG == 4
    if (agg == Agg::kMax ? v > best[g] : v < best[g]) best[g] = v;
#elif BUG == 8
    if ((*counts)[g] == 0 || (agg == Agg::kMax ? v > best[g] : v < best[g])) best[g] = v;
#else
    // A NaN gives way to any number.
    if ((*counts)[g] == 0 || NotANumber(best[g]) ||
        (agg == Agg::kMax ? v > best[g] : v < best[g])) {
      best[g] = v;
    }
#endif
    ++(*counts)[g];
  }
  std::vector<V> out(groups);
  for (size_t g = 0; g < groups; ++g) {
    const int64_t count = (*counts)[g];
    if (agg == Agg::kSum) {
      out[g] = static_cast<V>(sums[g]);
    } else if (count == 0) {
      out[g] = std::is_floating_point_v<V> ? std::numeric_limits<V>::quiet_NaN() : V{0};
    } else if (agg == Agg::kMean) {
      out[g] = static_cast<V>(static_cast<double>(sums[g]) / static_cast<double>(count));
    } else {
      out[g] = best[g];
    }
  }
  return out;
}

template <typename K>
Tuple<Tensor, Tensor, Tensor> Run(const TensorView& keys, const TensorView& values,
                                  const uint8_t* valid, Agg agg, bool sorted) {
  const Groups<K> g = FindGroups(Data<const K>(keys), keys.size(0), sorted);
  const size_t n = g.keys.size();
  std::vector<int64_t> counts;
  Tensor out;
  if (Same(values.dtype(), kF32)) {
    out = NewVector(Aggregate(Data<const float>(values), valid, g.of_row, n, agg, &counts), kF32);
  } else if (Same(values.dtype(), kF64)) {
    out = NewVector(Aggregate(Data<const double>(values), valid, g.of_row, n, agg, &counts), kF64);
  } else {
    out = NewVector(Aggregate(Data<const int64_t>(values), valid, g.of_row, n, agg, &counts),
                    kI64);
  }
#if BUG == 7
  const std::vector<int64_t> wide(g.keys.begin(), g.keys.end());
  Tensor found = NewVector(wide, kI64);
#else
  Tensor found = NewVector(g.keys, keys.dtype());
#endif
  return Tuple<Tensor, Tensor, Tensor>(found, out, NewVector(counts, kI64));
}

// keys [n], values [n], valid [n] or None. Returns keys [g], values [g] and counts [g] of groups.
Tuple<Tensor, Tensor, Tensor> GroupBy(TensorView keys, TensorView values, Optional<Tensor> valid,
                                      String agg, bool sorted) {
  CheckDense(keys, "keys", 1, {kI32, kI64});
#if BUG == 9
  CheckType(values, "values", {kF32, kF64, kI64});
  CheckRank(values, "values", 1);
  CheckDevice(values, "values");
#else
  CheckDense(values, "values", 1, {kF32, kF64, kI64});
#endif
  CheckExtent(values, "values", 0, keys.size(0));
  const uint8_t* mask = nullptr;
  const Tensor held = valid.has_value() ? valid.value() : Tensor();
  if (valid.has_value()) {
    const TensorView v(held);
    CheckDense(v, "valid", 1, {kBool});
#if BUG != 6
    CheckExtent(v, "valid", 0, keys.size(0));
#endif
    mask = Data<const uint8_t>(v);
  }
  Agg how;
  if (agg == "sum") {
    how = Agg::kSum;
  } else if (agg == "mean") {
    how = Agg::kMean;
  } else if (agg == "min") {
    how = Agg::kMin;
  } else if (agg == "max") {
    how = Agg::kMax;
  } else {
    TVM_FFI_THROW(ValueError) << "agg must be sum, mean, min or max";
  }
#if BUG != 5
  if (how == Agg::kMean && Same(values.dtype(), kI64)) {
    TVM_FFI_THROW(TypeError) << "values must be floats for a mean";
  }
#endif
  if (Same(keys.dtype(), kI32)) return Run<int32_t>(keys, values, mask, how, sorted);
  return Run<int64_t>(keys, values, mask, how, sorted);
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(group_by, host::GroupBy);
