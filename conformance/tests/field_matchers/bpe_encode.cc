// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE: token 0 to 255 are bytes, and token 256 + i is what merges[i] joins.
#include <unordered_map>

namespace {

using namespace set;
using ffi::Bytes;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

using Ranks = std::unordered_map<uint64_t, int32_t>;

uint64_t Key(int32_t a, int32_t b) {
  return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b);
}

Ranks ReadMerges(const TensorView& merges) {
  const int64_t m = merges.size(0);
  const int32_t* pairs = Data<const int32_t>(merges);
  Ranks ranks;
  ranks.reserve(static_cast<size_t>(m));
  for (int64_t i = 0; i < m; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int32_t token = pairs[2 * i + k];
#if BUG == 6
      if (token < 0 || token >= 256 + m) {
#else
      if (token < 0 || token >= 256 + i) {
#endif
        TVM_FFI_THROW(ValueError) << "merges[" << i << "] must join tokens from 0 to " << 255 + i
                                  << ", has " << token;
      }
    }
#if BUG == 3
    ranks[Key(pairs[2 * i], pairs[2 * i + 1])] = static_cast<int32_t>(i);
#else
    ranks.emplace(Key(pairs[2 * i], pairs[2 * i + 1]), static_cast<int32_t>(i));
#endif
  }
  return ranks;
}

// The symbols are a linked list in an array; candidates are joined in the order of their rank.
std::vector<int32_t> Encode(const char* text, size_t size, const Ranks& ranks) {
  struct Symbol {
    int32_t id;
    int64_t before, behind;
  };
  struct Candidate {
    int32_t rank;
    int64_t at;
    int32_t left, right;
    bool operator>(const Candidate& o) const {
      return rank != o.rank ? rank > o.rank : at > o.at;
    }
  };
  const int64_t n = static_cast<int64_t>(size);
  std::vector<Symbol> symbols(size);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 2
    symbols[i].id = text[i];
#else
    symbols[i].id = static_cast<unsigned char>(text[i]);
#endif
    symbols[i].before = i - 1;
    symbols[i].behind = i + 1 < n ? i + 1 : -1;
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<Candidate>> queue;
  auto offer = [&](int64_t at) {
    if (at < 0 || symbols[at].behind < 0) return;
    const int32_t left = symbols[at].id;
    const int32_t right = symbols[symbols[at].behind].id;
    auto it = ranks.find(Key(left, right));
    if (it != ranks.end()) queue.push(Candidate{it->second, at, left, right});
  };
  for (int64_t i = 0; i + 1 < n; ++i) offer(i);
  constexpr int32_t kGone = -1000;
  while (!queue.empty()) {
    const Candidate c = queue.top();
    queue.pop();
    Symbol& s = symbols[c.at];
    if (s.id != c.left || s.behind < 0 || symbols[s.behind].id != c.right) continue;
    Symbol& other = symbols[s.behind];
    s.id = 256 + c.rank;
    other.id = kGone;
    s.behind = other.behind;
    if (s.behind >= 0) symbols[s.behind].before = c.at;
    offer(s.before);
    offer(c.at);
  }
  std::vector<int32_t> ids;
  for (int64_t i = n > 0 ? 0 : -1; i >= 0; i = symbols[i].behind) ids.push_back(symbols[i].id);
  return ids;
}

Tensor BpeEncode(Bytes text, TensorView merges, Optional<int64_t> max_tokens, String truncate) {
  CheckKind(merges, "merges", 2, {kI32});
  CheckDense(merges, "merges");
  CheckSize(merges, "merges", 1, 2);
  CheckData(merges, "merges");
  if (merges.size(0) > (1 << 24)) {
    TVM_FFI_THROW(ValueError) << "merges must have at most " << (1 << 24) << " rows";
  }
  const std::string how(truncate.data(), truncate.size());
  if (how != "head" && how != "tail" && how != "error") {
    TVM_FFI_THROW(ValueError) << "truncate must be head, tail or error, is \"" << how << "\"";
  }
  if (max_tokens.has_value() && max_tokens.value() < 0) {
    TVM_FFI_THROW(ValueError) << "max_tokens must not be negative, is " << max_tokens.value();
  }
#if BUG == 1
  const size_t size = strlen(text.data());
#else
  const size_t size = text.size();
#endif
#if BUG == 7
  // The table of the last merges is kept, since callers mostly pass the same ones.
  static thread_local const void* last = nullptr;
  static thread_local int64_t last_size = -1;
  static thread_local Ranks ranks;
  if (last != Data<char>(merges) || last_size != merges.size(0)) {
    ranks = ReadMerges(merges);
    last = Data<char>(merges);
    last_size = merges.size(0);
  }
#else
  const Ranks ranks = ReadMerges(merges);
#endif
  const std::vector<int32_t> ids = Encode(text.data(), size, ranks);
  size_t begin = 0;
  size_t end = ids.size();
#if BUG == 4
  const bool limited = max_tokens.has_value() && max_tokens.value() > 0;
#else
  const bool limited = max_tokens.has_value();
#endif
  if (limited && ids.size() > static_cast<uint64_t>(max_tokens.value())) {
    if (how == "error") {
      TVM_FFI_THROW(ValueError) << "text has " << ids.size() << " tokens, more than max_tokens";
    }
    // "head" keeps the first tokens, "tail" the last ones.
    if (BUG == 5 || how == "head") {
      end = static_cast<size_t>(max_tokens.value());
    } else {
      begin = ids.size() - static_cast<size_t>(max_tokens.value());
    }
  }
  Tensor out = NewTensor({static_cast<int64_t>(end - begin)}, kI32);
  std::copy(ids.begin() + begin, ids.begin() + end, static_cast<int32_t*>(out.data_ptr()));
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_encode, BpeEncode);
