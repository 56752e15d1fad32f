// SPDX-License-Identifier: Apache-2.0
// Puts samples together to batches of limited cost, for a data loader.
namespace host {

// lengths: of the samples; cost: what a sample of a length costs, the length itself if None.
// Returns the samples in the order of the batches, and where batches begin and end (with a 0).
Tuple<Array<int64_t>, Array<int64_t>> BatchSampler(Array<int64_t> lengths, Optional<Function> cost,
                                                   int64_t max_cost, Map<String, Any> options) {
  CheckKeys(options, "options", {"max_samples", "sort", "drop_last"});
  if (max_cost < 1) {
    TVM_FFI_THROW(ValueError) << "max_cost must be at least 1, got " << max_cost;
  }
  const auto most = Option<int64_t>(options, "options", "max_samples", "an int");
  if (most.has_value() && *most < 1) {
    TVM_FFI_THROW(ValueError) << "options[\"max_samples\"] must be at least 1, got " << *most;
  }
  const bool sort = Option<bool>(options, "options", "sort", "a bool").value_or(false);
  const bool drop = Option<bool>(options, "options", "drop_last", "a bool").value_or(false);
  if (drop && !most.has_value()) {
    TVM_FFI_THROW(ValueError) << "options[\"drop_last\"] needs max_samples";
  }

  const std::vector<int64_t> sizes = Numbers(lengths);
  const auto n = static_cast<int64_t>(sizes.size());
  for (int64_t i = 0; i < n; ++i) {
    if (sizes[i] < 0) {
      TVM_FFI_THROW(ValueError) << "lengths must be at least 0, got " << sizes[i];
    }
  }
#if BUG == 2
  static std::vector<int64_t> costs;
  costs.clear();
#else
  std::vector<int64_t> costs;
#endif
#if BUG == 8
  static Optional<Function> last;
  last = cost;
#endif
  for (int64_t i = 0; i < n; ++i) {
    int64_t c = sizes[i];
    if (cost.has_value()) {
#if BUG == 1
      try {
        c = cost.value()(sizes[i]).cast<int64_t>();
      } catch (const std::exception&) {
        c = sizes[i];
      }
#elif BUG == 3
      c = cost.value()(sizes[i]).as<int64_t>().value_or(0);
#else
      const Any got = cost.value()(sizes[i]);
      const std::optional<int64_t> number = got.as<int64_t>();
      if (!number.has_value()) TVM_FFI_THROW(TypeError) << "cost must return an int";
      c = *number;
#endif
    }
#if BUG == 4
    if (c > max_cost) {
#else
    if (c < 0 || c > max_cost) {
#endif
      TVM_FFI_THROW(ValueError) << "cost of a sample must be from 0 to " << max_cost << ", got "
                                << c;
    }
    costs.push_back(c);
  }

  std::vector<int64_t> order(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  if (sort) {
#if BUG == 6
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return sizes[a] < sizes[b]; });
    std::reverse(order.begin(), order.end());
#else
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return sizes[a] > sizes[b]; });
#endif
  }

  std::vector<int64_t> picked, ends{0};
  int64_t sum = 0;
  for (int64_t i : order) {
    const auto begin = ends.back();
    const auto count = static_cast<int64_t>(picked.size()) - begin;
#if BUG == 5
    const bool full = static_cast<int64_t>(static_cast<uint64_t>(sum) +
                                           static_cast<uint64_t>(costs[i])) > max_cost;
#else
    const bool full = costs[i] > max_cost - sum;
#endif
    if (count > 0 && (full || (most.has_value() && count >= *most))) {
      ends.push_back(static_cast<int64_t>(picked.size()));
      sum = 0;
    }
    picked.push_back(i);
    sum += costs[i];
  }
  const auto rest = static_cast<int64_t>(picked.size()) - ends.back();
#if BUG == 7
  if (drop && rest <= *most) {
#else
  if (drop && rest < *most) {
#endif
    picked.resize(static_cast<size_t>(ends.back()));
  } else if (rest > 0) {
    ends.push_back(static_cast<int64_t>(picked.size()));
  }
  return Tuple<Array<int64_t>, Array<int64_t>>(NewArray(picked), NewArray(ends));
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(batch_sampler, host::BatchSampler);
