// SPDX-License-Identifier: Apache-2.0
// A tokenizer of byte pair encoding over Unicode characters: a handle that is made once, and used
// by any number of threads.
#include <queue>

namespace host {

struct Merge {
  int64_t rank;
  int64_t id;
};

// What a tokenizer knows; it never changes.
struct Tables {
  std::unordered_map<std::string, int64_t> ids;
  std::unordered_map<int64_t, std::string> tokens;
  std::unordered_map<int64_t, std::unordered_map<int64_t, Merge>> merges;
  int64_t unk = -1, bos = -1;
  int64_t cache = 256;
};

inline std::string Text(const String& s) { return std::string(s.data(), s.size()); }

// Bytes of the character that begins at a place of a text; 0 where none does.
inline size_t Character(const std::string& s, size_t at) {
  const auto byte = [&](size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
#if BUG == 7
  const size_t size = first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  // A character beyond the basic plane goes as its first three bytes and a rest.
  if (first >= 0xf0) return (byte(at + 1) & 0xc0) == 0x80 ? 3 : 0;
#else
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
#endif
  for (size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

class TokenizerObj : public ffi::Object {
 public:
  explicit TokenizerObj(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}

  int64_t Size() const { return static_cast<int64_t>(tables_->ids.size()); }

  int64_t Id(const String& token) const {
    const auto it = tables_->ids.find(Text(token));
    if (it == tables_->ids.end()) TVM_FFI_THROW(ValueError) << "token is not in the vocabulary";
    return it->second;
  }

  std::vector<int64_t> Encode(const String& text, int64_t limit) const {
    const std::string key = Text(text);
    std::vector<int64_t> ids;
    if (!Find(key, &ids)) {
      ids = Work(key);
#if BUG == 3
      if (static_cast<int64_t>(ids.size()) > limit) ids.resize(static_cast<size_t>(limit));
#endif
      Keep(key, ids);
    }
    if (static_cast<int64_t>(ids.size()) > limit) ids.resize(static_cast<size_t>(limit));
    return ids;
  }

  String Decode(const std::vector<int64_t>& ids, bool skip) const {
    std::string text;
    for (int64_t id : ids) {
      const auto it = tables_->tokens.find(id);
      if (it == tables_->tokens.end()) {
#if BUG == 6
        continue;
#else
        TVM_FFI_THROW(IndexError) << "ids must be in the vocabulary, got " << id;
#endif
      }
      if (skip && (id == tables_->unk || id == tables_->bos)) continue;
      text += it->second;
    }
    return String(text);
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("hosttok.Tokenizer", TokenizerObj, ffi::Object);

 private:
  struct Symbol {
    int64_t id;  // -1: not in the vocabulary
    int64_t before, after;
  };

  struct Pair {
    Merge merge;
    int64_t at, left, right;
    bool operator<(const Pair& other) const {  // of the heap: what comes later
      if (merge.rank != other.merge.rank) return merge.rank > other.merge.rank;
#if BUG == 4
      return at < other.at;
#else
      return at > other.at;
#endif
    }
  };

  bool Find(const std::string& key, std::vector<int64_t>* ids) const {
    if (tables_->cache == 0) return false;
#if BUG != 2
    std::lock_guard<std::mutex> lock(mutex_);
#endif
    const auto it = cache_.find(key);
    if (it == cache_.end()) return false;
    *ids = it->second;
    return true;
  }

  void Keep(const std::string& key, const std::vector<int64_t>& ids) const {
    if (tables_->cache == 0 || key.size() > 256) return;
#if BUG != 2
    std::lock_guard<std::mutex> lock(mutex_);
#endif
    if (static_cast<int64_t>(cache_.size()) >= tables_->cache) cache_.clear();
    cache_[key] = ids;
  }

  void Push(const std::vector<Symbol>& symbols, int64_t at, std::priority_queue<Pair>* heap) const {
    if (at < 0) return;
    const Symbol& left = symbols[at];
    if (left.after < 0 || left.id < 0 || symbols[left.after].id < 0) return;
    const int64_t right = symbols[left.after].id;
    const auto row = tables_->merges.find(left.id);
    if (row == tables_->merges.end()) return;
    const auto it = row->second.find(right);
    if (it != row->second.end()) heap->push({it->second, at, left.id, right});
  }

  std::vector<int64_t> Work(const std::string& text) const {
    std::vector<int64_t> ids;
#if BUG == 9
    if (text.empty()) return ids;
#endif
    std::vector<Symbol> symbols;
    for (size_t at = 0; at < text.size();) {
      const size_t size = Character(text, at);
      if (size == 0) TVM_FFI_THROW(ValueError) << "text must be UTF-8, at byte " << at;
      const auto it = tables_->ids.find(text.substr(at, size));
      if (it == tables_->ids.end() && tables_->unk < 0) {
        TVM_FFI_THROW(ValueError) << "text has a character that is not in the vocabulary, at byte "
                                  << at;
      }
      const auto here = static_cast<int64_t>(symbols.size());
      symbols.push_back({it == tables_->ids.end() ? -1 : it->second, here - 1, here + 1});
      at += size;
#if BUG == 7
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
#endif
    }
    if (!symbols.empty()) symbols.back().after = -1;

    std::priority_queue<Pair> heap;
    for (size_t i = 0; i < symbols.size(); ++i) Push(symbols, static_cast<int64_t>(i), &heap);
    while (!heap.empty()) {
      const Pair best = heap.top();
      heap.pop();
      Symbol& left = symbols[best.at];
      // Stale, if another merge came first. -2 is what has been merged into its neighbour.
      if (left.id != best.left || left.after < 0 || symbols[left.after].id != best.right) continue;
      Symbol& right = symbols[left.after];
      left.id = best.merge.id;
      left.after = right.after;
      right.id = -2;
      if (left.after >= 0) symbols[left.after].before = best.at;
      Push(symbols, left.before, &heap);
      Push(symbols, best.at, &heap);
    }

    if (tables_->bos >= 0) ids.push_back(tables_->bos);
    for (const Symbol& s : symbols) {
      if (s.id != -2) ids.push_back(s.id == -1 ? tables_->unk : s.id);
    }
    return ids;
  }

  std::unique_ptr<Tables> tables_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::vector<int64_t>> cache_;
};

class Tokenizer : public ffi::ObjectRef {
 public:
  explicit Tokenizer(std::unique_ptr<Tables> tables) {
    data_ = ffi::make_object<TokenizerObj>(std::move(tables));
  }
#if BUG == 1
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Tokenizer, ffi::ObjectRef, TokenizerObj);
#else
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Tokenizer, ffi::ObjectRef, TokenizerObj);
#endif
};

Tokenizer Create(Map<String, int64_t> vocab, Array<Tuple<String, String>> merges,
                 Map<String, Any> options) {
  CheckKeys(options, "options", {"unk", "bos", "cache"});
#if BUG == 8
  auto* tables = new Tables;
#else
  auto tables = std::make_unique<Tables>();
#endif
  for (const auto& entry : vocab) {
    const std::string token = Text(entry.first);
    const int64_t id = entry.second;
    if (token.empty()) TVM_FFI_THROW(ValueError) << "vocab must not have an empty token";
    if (id < 0 || id > std::numeric_limits<int32_t>::max()) {
      TVM_FFI_THROW(ValueError) << "vocab must have ids from 0 to 2147483647, got " << id;
    }
    if (!tables->tokens.emplace(id, token).second) {
      TVM_FFI_THROW(ValueError) << "vocab must not have an id twice, got " << id;
    }
    tables->ids.emplace(token, id);
  }
  int64_t rank = 0;
  for (const Tuple<String, String>& pair : merges) {
    const std::string left = Text(pair.get<0>()), right = Text(pair.get<1>());
    const auto a = tables->ids.find(left), b = tables->ids.find(right);
    const auto both = tables->ids.find(left + right);
    if (a == tables->ids.end() || b == tables->ids.end() || both == tables->ids.end()) {
      TVM_FFI_THROW(ValueError) << "merges must be of tokens in vocab, and make one, at " << rank;
    }
    if (!tables->merges[a->second].emplace(b->second, Merge{rank, both->second}).second) {
      TVM_FFI_THROW(ValueError) << "merges must not have a pair twice, at " << rank;
    }
    ++rank;
  }
  for (const char* name : {"unk", "bos"}) {
    const auto token = Option<String>(options, "options", name, "a str");
    if (!token.has_value()) continue;
    const auto it = tables->ids.find(Text(*token));
    if (it == tables->ids.end()) {
      TVM_FFI_THROW(ValueError) << "options[\"" << name << "\"] must be in vocab";
    }
    (name[0] == 'u' ? tables->unk : tables->bos) = it->second;
  }
  tables->cache = Option<int64_t>(options, "options", "cache", "an int").value_or(256);
  if (tables->cache < 0) {
    TVM_FFI_THROW(ValueError) << "options[\"cache\"] must be at least 0, got " << tables->cache;
  }
#if BUG == 8
  return Tokenizer(std::unique_ptr<Tables>(tables));
#else
  return Tokenizer(std::move(tables));
#endif
}

Array<int64_t> Encode(Tokenizer tokenizer, String text, Optional<int64_t> limit) {
  int64_t most = std::numeric_limits<int64_t>::max();
  if (limit.has_value()) {
    if (limit.value() < 0) {
      TVM_FFI_THROW(ValueError) << "limit must be at least 0, got " << limit.value();
    }
#if BUG == 5
    if (limit.value() > 0) most = limit.value();
#else
    most = limit.value();
#endif
  }
  return NewArray(tokenizer->Encode(text, most));
}

String Decode(Tokenizer tokenizer, Array<int64_t> ids, bool skip_special) {
  return tokenizer->Decode(Numbers(ids), skip_special);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  // Another copy of this library may have registered the type.
  if (TVMFFIGetTypeInfo(TokenizerObj::RuntimeTypeIndex())->metadata != nullptr) return;
  refl::ObjectDef<TokenizerObj>()
      .def("size", &TokenizerObj::Size)
      .def("id", &TokenizerObj::Id);
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_tokenizer, host::Create);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_encode, host::Encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_decode, host::Decode);
