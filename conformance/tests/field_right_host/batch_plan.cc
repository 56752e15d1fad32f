// SPDX-License-Identifier: Apache-2.0
// Packs samples into batches so that no batch, padded to its longest sample, holds more than
// max_tokens. Longest first, unless the options say otherwise.
using tvm::ffi::Any;
using tvm::ffi::Array;
using tvm::ffi::Map;
using tvm::ffi::Shape;
using tvm::ffi::String;

namespace {

constexpr int64_t kMostTokens = int64_t(1) << 31;

struct Options {
  bool sort = true;
  int64_t max_items = kMostTokens;

  explicit Options(const Map<String, Any>& given) {
    for (const auto& [key, value] : given) {
      if (key == "sort") {
        sort = value.cast<bool>();
      } else if (key == "max_items") {
        max_items = value.cast<int64_t>();
        if (max_items < 1) TVM_FFI_THROW(ValueError) << "max_items must be positive";
      } else {
        TVM_FFI_THROW(KeyError) << "unknown option " << key;
      }
    }
  }
};

Map<String, Any> plan(Array<int64_t> lengths, int64_t max_tokens, Map<String, Any> given) {
  Options options(given);
  if (max_tokens < 1 || max_tokens > kMostTokens)
    TVM_FFI_THROW(ValueError) << "max_tokens is out of range: " << max_tokens;
  std::vector<int64_t> length(lengths.begin(), lengths.end());
  for (int64_t n : length) {
    if (n < 1) TVM_FFI_THROW(ValueError) << "a sample has no tokens";
    if (n > max_tokens) TVM_FFI_THROW(ValueError) << "a sample of " << n << " tokens fits nowhere";
  }
  std::vector<int64_t> order(length.size());
  std::iota(order.begin(), order.end(), 0);
  if (options.sort) {
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return length[a] > length[b]; });
  }
  Array<int64_t> starts;
  int64_t padded = 0, items = 0, longest = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    int64_t with = std::max(longest, length[order[i]]);
    if (items == 0 || items == options.max_items || with > max_tokens / (items + 1)) {
      padded += items * longest;
      starts.push_back(static_cast<int64_t>(i));
      items = 0;
      with = length[order[i]];
    }
    ++items;
    longest = with;
  }
  padded += items * longest;
  return {{"order", Shape(order)}, {"starts", starts}, {"padded", padded}};
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan_batches, plan);
