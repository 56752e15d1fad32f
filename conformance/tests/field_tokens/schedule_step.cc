// SPDX-License-Identifier: Apache-2.0
// One step of a continuous batching scheduler with chunked prefill: how many tokens of which
// request are computed next.
namespace host {

struct Limits {
  int64_t tokens;                                          // of the step
  int64_t requests;                                        // of the step
  int64_t chunk = std::numeric_limits<int64_t>::max();     // of one request
  int64_t block = 1;                                       // tokens in a block of the cache
  int64_t blocks;                                          // that are free
  bool counted;                                            // whether free blocks were given
  bool partial = true;                                     // a request may be cut
  enum { kFcfs, kPriority, kShortest } policy = kFcfs;
};

inline int64_t Bounded(const Map<String, Any>& options, const char* key, int64_t least,
                       std::optional<int64_t> otherwise) {
  const auto got = Option<int64_t>(options, "options", key, "an int");
  if (!got.has_value() && !otherwise.has_value()) {
    TVM_FFI_THROW(ValueError) << "options must have the key " << key;
  }
  const int64_t value = got.has_value() ? *got : *otherwise;
  if (value < least) {
    TVM_FFI_THROW(ValueError) << "options[\"" << key << "\"] must be at least " << least
                              << ", got " << value;
  }
  return value;
}

inline Limits Read(const Map<String, Any>& options) {
#if BUG != 6
  CheckKeys(options, "options",
            {"token_budget", "max_requests", "chunk", "block_size", "free_blocks", "partial",
             "policy"});
#endif
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  Limits l;
  l.tokens = Bounded(options, "token_budget", 0, std::nullopt);
  l.requests = Bounded(options, "max_requests", 0, kMost);
#if BUG == 4
  static thread_local int64_t chunk = kMost;
  chunk = Bounded(options, "chunk", 1, chunk);
  l.chunk = chunk;
#else
  l.chunk = Bounded(options, "chunk", 1, kMost);
#endif
  l.block = Bounded(options, "block_size", 1, 16);
  l.blocks = Bounded(options, "free_blocks", 0, kMost);
  l.counted = Option<int64_t>(options, "options", "free_blocks", "an int").has_value();
  l.partial = Option<bool>(options, "options", "partial", "a bool").value_or(true);
  const auto policy = Option<String>(options, "options", "policy", "a str");
  if (policy.has_value()) {
    if (*policy == "fcfs") {
      l.policy = Limits::kFcfs;
    } else if (*policy == "priority") {
      l.policy = Limits::kPriority;
    } else if (*policy == "shortest") {
      l.policy = Limits::kShortest;
    } else {
      TVM_FFI_THROW(ValueError) << "options[\"policy\"] must be fcfs, priority or shortest";
    }
  }
  return l;
}

// Blocks that hold a number of tokens, without overflow.
inline int64_t Blocks(int64_t tokens, int64_t block) {
  return tokens / block + (tokens % block != 0);
}

Map<String, Any> ScheduleStep(Array<int64_t> total, Array<int64_t> computed,
                              Optional<Array<int64_t>> priority, Map<String, Any> options) {
  const Limits limits = Read(options);
#if BUG == 8
  auto* whole = new std::vector<int64_t>(Numbers(total));
  const std::vector<int64_t>& all = *whole;
#else
  const std::vector<int64_t> all = Numbers(total);
#endif
  const std::vector<int64_t> done = Numbers(computed);
  std::vector<int64_t> urgency;
  const size_t n = all.size();
#if BUG == 5
  if (done.size() < n) {
#else
  if (done.size() != n) {
#endif
    TVM_FFI_THROW(ValueError) << "computed must have " << n << " elements, got " << done.size();
  }
  if (priority.has_value()) {
    urgency = Numbers(priority.value());
    if (urgency.size() != n) {
      TVM_FFI_THROW(ValueError) << "priority must have " << n << " elements, got "
                                << urgency.size();
    }
  } else if (limits.policy == Limits::kPriority) {
    TVM_FFI_THROW(ValueError) << "priority must be given for this policy";
  }
  for (size_t i = 0; i < n; ++i) {
#if BUG == 7
    if (done[i] < 0) {
#else
    if (done[i] < 0 || done[i] > all[i]) {
#endif
      TVM_FFI_THROW(ValueError) << "computed must be from 0 to total, got " << done[i] << " of "
                                << all[i];
    }
  }

  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; ++i) order[i] = i;
  if (limits.policy == Limits::kPriority) {
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return BUG == 1 ? urgency[a] < urgency[b] : urgency[a] > urgency[b];
    });
  } else if (limits.policy == Limits::kShortest) {
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return all[a] - done[a] < all[b] - done[b];
    });
  }

  std::vector<int64_t> picked, counts;
  int64_t budget = limits.tokens, blocks = limits.blocks;
  for (size_t i : order) {
    if (budget == 0 || static_cast<int64_t>(picked.size()) >= limits.requests) break;
    const int64_t left = all[i] - done[i];
    if (left == 0) {
#if BUG == 2
      break;
#else
      continue;
#endif
    }
    int64_t count = std::min({left, budget, limits.chunk});
    const int64_t held = BUG == 3 ? done[i] / limits.block : Blocks(done[i], limits.block);
    int64_t more = Blocks(done[i] + count, limits.block) - held;
    if (more > blocks) {
      // What fits into the request's last block and the free ones.
      more = blocks;
      count = std::min(count, (held + blocks) * limits.block - done[i]);
    }
#if BUG == 9
    if (count <= 0 || (!limits.partial && count < std::min(left, limits.chunk))) break;
#else
    if (count <= 0 || (!limits.partial && count < left)) break;
#endif
    picked.push_back(static_cast<int64_t>(i));
    counts.push_back(count);
    budget -= count;
    blocks -= more;
  }

  Map<String, Any> result;
  result.Set("requests", NewArray(picked));
  result.Set("tokens", NewArray(counts));
  result.Set("budget", budget);
  if (limits.counted) result.Set("free_blocks", blocks);
#if BUG == 8
  delete whole;
#endif
  return result;
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(schedule_step, host::ScheduleStep);
