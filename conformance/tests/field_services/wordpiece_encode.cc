// SPDX-License-Identifier: Apache-2.0
// WordPiece: words at white space, then the longest pieces of the vocabulary from the left.
namespace {

using namespace set;

struct Table {
  std::unordered_map<std::string, int64_t> ids;
  size_t longest = 0;  // bytes of the longest key

  explicit Table(const Map<String, int64_t>& vocab) {
    for (const auto& entry : vocab) {
      std::string piece(entry.first.data(), entry.first.size());
#if BUG != 8
      if (entry.second < 0) {
        TVM_FFI_THROW(ValueError) << "vocab has the negative id " << entry.second << " for \""
                                  << piece << "\"";
      }
#endif
      longest = std::max(longest, piece.size());
      ids.emplace(std::move(piece), entry.second);
    }
  }
};

bool IsSpace(char c) {
#if BUG == 7
  return c == ' ';
#else
  return c == ' ' || (c >= '\t' && c <= '\r');
#endif
}

bool IsBoundary(const std::string& text, size_t at) {  // between characters of UTF-8
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
}

struct Token {
  int64_t id;
  int64_t start;  // byte in the text
};

// Appends the pieces of text[begin, end); false if the vocabulary can't spell them.
bool Spell(const std::string& text, size_t begin, size_t end, const Table& table,
           const std::string& prefix, std::vector<Token>* out) {
  size_t before = out->size();
  std::string key;
  for (size_t at = begin; at < end;) {
    size_t bytes = table.longest;
#if BUG == 1
    bytes -= std::min(bytes, prefix.size());
#endif
    size_t stop = std::min(end, at + bytes);
    for (; stop > at; --stop) {
      if (!IsBoundary(text, stop)) continue;
      key.assign(at == begin ? std::string() : prefix);
      key.append(text, at, stop - at);
      auto it = table.ids.find(key);
      if (it == table.ids.end()) continue;
      out->push_back({it->second, static_cast<int64_t>(at)});
      break;
    }
    if (stop == at) {
      if (BUG != 2) out->resize(before);
      return false;
    }
    at = stop;
  }
  return true;
}

Tuple<Array<int64_t>, Array<int64_t>> WordpieceEncode(String input, Map<String, int64_t> vocab,
                                                      Optional<int64_t> unk_id, String prefix,
                                                      bool lower, int64_t max_word,
                                                      Optional<int64_t> max_tokens) {
  if (unk_id.has_value() && unk_id.value() < 0) {
    TVM_FFI_THROW(ValueError) << "unk_id must not be negative, it is " << unk_id.value();
  }
  if (max_word < 1) TVM_FFI_THROW(ValueError) << "max_word must be at least 1, not " << max_word;
  if (max_tokens.has_value() && max_tokens.value() < 0) {
    TVM_FFI_THROW(ValueError) << "max_tokens must not be negative, it is " << max_tokens.value();
  }
  std::string text(input.data(), input.size());
  std::string join(prefix.data(), prefix.size());
  if (lower) {
    for (char& c : text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
  }

#if BUG == 3
  static thread_local const void* cached_for = nullptr;
  static thread_local std::unique_ptr<Table> cached;
  if (cached == nullptr || cached_for != vocab.get()) {
    cached = std::make_unique<Table>(vocab);
    cached_for = vocab.get();
  }
  const Table& table = *cached;
#elif BUG == 6
  Table* owned = new Table(vocab);
  const Table& table = *owned;
#else
  const Table table(vocab);
#endif

  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    if (IsSpace(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && !IsSpace(text[end])) ++end;
    bool spelt = static_cast<int64_t>(end - i) <= max_word &&
                 Spell(text, i, end, table, join, &tokens);
    if (!spelt) {
      if (!unk_id.has_value()) {
        TVM_FFI_THROW(ValueError) << "text has the word \"" << text.substr(i, end - i)
                                  << "\", which vocab can't spell, and unk_id is None";
      }
      tokens.push_back({unk_id.value(), static_cast<int64_t>(i)});
    }
    i = end;
  }
#if BUG == 6
  delete owned;
#endif

#if BUG == 4
  if (max_tokens.has_value() && max_tokens.value() > 0) {
#else
  if (max_tokens.has_value()) {
#endif
    if (static_cast<int64_t>(tokens.size()) > max_tokens.value()) {
      tokens.resize(static_cast<size_t>(max_tokens.value()));
    }
  }
  Array<int64_t> ids, starts;
  for (const Token& token : tokens) {
    ids.push_back(token.id);
    int64_t start = token.start;
#if BUG == 5
    for (int64_t j = 0; j < token.start; ++j) start -= IsBoundary(text, j) ? 0 : 1;
#endif
    starts.push_back(start);
  }
  return Tuple<Array<int64_t>, Array<int64_t>>(ids, starts);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(wordpiece_encode, WordpieceEncode);
