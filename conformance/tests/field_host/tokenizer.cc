// SPDX-License-Identifier: Apache-2.0
// Greedy longest-match tokenizer over a vocabulary of byte strings.
namespace
{

struct Vocab {
  std::vector<std::string> tokens;
  std::unordered_map<std::string_view, int32_t> ids;
  size_t longest = 0;
};

std::vector<std::string> CopyTokens(const Array<String> &vocab)
{
  REQUIRE(vocab.size() <= size_t(1) << 24, ValueError) << "too many tokens";
  std::vector<std::string> tokens;
  tokens.reserve(vocab.size());
  for (const String &s : vocab) tokens.emplace_back(s.data(), s.size());
  return tokens;
}

std::shared_ptr<const Vocab> Build(std::vector<std::string> tokens)
{
  auto v = std::make_shared<Vocab>();
  v->tokens = std::move(tokens);
  for (size_t i = 0; i < v->tokens.size(); ++i) {
    const std::string &t = v->tokens[i];
    REQUIRE(!t.empty(), ValueError) << "token " << i << " is empty";
    REQUIRE(v->ids.emplace(t, static_cast<int32_t>(i)).second, ValueError)
        << "token " << i << " is there twice";
    v->longest = std::max(v->longest, t.size());
  }
  return v;
}

// The tables of the last vocabulary are kept, since callers encode many texts with one.
std::shared_ptr<const Vocab> GetVocab(const Array<String> &vocab)
{
  static std::mutex mutex;
  static std::shared_ptr<const Vocab> last;
  std::vector<std::string> tokens = CopyTokens(vocab);
  {
    std::lock_guard<std::mutex> lock(mutex);
#if BUG == 4
    auto bytes = [](const std::vector<std::string> &l) {
      size_t n = 0;
      for (const std::string &s : l) n += s.size();
      return n;
    };
    if (last && last->tokens.size() == tokens.size() && bytes(last->tokens) == bytes(tokens))
      return last;
#else
    if (last && last->tokens == tokens) return last;
#endif
  }
  auto made = Build(std::move(tokens));
  std::lock_guard<std::mutex> lock(mutex);
  last = made;
  return made;
}

size_t CodePoint(std::string_view s)
{
  unsigned char c = static_cast<unsigned char>(s[0]);
  size_t want = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 1;
  size_t n = 1;
  while (n < want && n < s.size() && (static_cast<unsigned char>(s[n]) & 0xc0) == 0x80) ++n;
  return n;
}

struct Piece {
  int32_t id, begin, end;
};

Tuple<Tensor, Tensor> Encode(const Array<String> &vocab, const String &text,
                             const Optional<int64_t> &unk_id, int64_t max_tokens)
{
  REQUIRE(max_tokens >= 0 && max_tokens <= 0x7fffffff, ValueError)
      << "max_tokens must be between 0 and 2^31 - 1";
  REQUIRE(text.size() < size_t(1) << 30, ValueError) << "text is too long";
  std::shared_ptr<const Vocab> v = GetVocab(vocab);
#if BUG == 3
  int64_t unk = unk_id.has_value() ? unk_id.value() : 0;
#else
  int64_t unk = unk_id.has_value() ? unk_id.value() : -1;
#endif
  if (unk_id.has_value()) {
    REQUIRE(unk >= 0 && unk < static_cast<int64_t>(v->tokens.size()), ValueError)
        << "unk_id is not a token";
  }
#if BUG == 1
  static std::vector<Piece> pieces;
  pieces.clear();
#else
  std::vector<Piece> pieces;
#endif
  std::string_view rest(text.data(), text.size());
  size_t at = 0;
  while (at < rest.size()) {
    std::string_view tail = rest.substr(at);
    int32_t id = -1;
    size_t len = std::min(v->longest, tail.size());
    for (; len > 0; --len) {
      auto it = v->ids.find(tail.substr(0, len));
      if (it != v->ids.end()) {
        id = it->second;
        break;
      }
    }
    if (id < 0) {
      REQUIRE(unk >= 0, ValueError) << "no token for the text at byte " << at;
      id = static_cast<int32_t>(unk);
      len = CodePoint(tail);
    }
    pieces.push_back({id, static_cast<int32_t>(at), static_cast<int32_t>(at + len)});
    at += len;
  }
  int64_t n = std::min<int64_t>(max_tokens, static_cast<int64_t>(pieces.size()));
  Tensor ids = Alloc({n}, kI32);
#if BUG == 5
  Tensor spans = Alloc({static_cast<int64_t>(pieces.size()), 2}, kI32);
#else
  Tensor spans = Alloc({n, 2}, kI32);
#endif
  int32_t *p = Out<int32_t>(ids), *q = Out<int32_t>(spans);
  for (int64_t i = 0; i < n; ++i) {
    p[i] = pieces[i].id;
    q[2 * i] = pieces[i].begin;
    q[2 * i + 1] = pieces[i].end;
  }
  return Tuple<Tensor, Tensor>(ids, spans);
}

String Decode(const Array<String> &vocab, TensorView ids)
{
  CheckTensor(ids, {kI32, kI64}, 1, "ids");
  std::vector<std::string> tokens = CopyTokens(vocab);
  int64_t n = ids.size(0), size = static_cast<int64_t>(tokens.size());
  std::string out;
  for (int64_t i = 0; i < n; ++i) {
    int64_t id = Is(ids.dtype(), kI64) ? Ptr<int64_t>(ids)[i] : Ptr<int32_t>(ids)[i];
#if BUG == 2
    REQUIRE(id >= 0 && id <= size, IndexError) << "id " << id << " is not a token";
#else
    REQUIRE(id >= 0 && id < size, IndexError) << "id " << id << " is not a token";
#endif
    out += tokens[id];
  }
  return String(std::move(out));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(encode, Encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(decode, Decode);
