// SPDX-License-Identifier: Apache-2.0
// A byte trie as an object that does not change once it is built, so that threads may share it.
namespace {

using kit::ffi::Array;
using kit::ffi::String;

class TrieObj : public kit::ffi::Object {
 public:
  struct Node {
    int64_t word = -1;
    std::map<unsigned char, uint32_t> next;
  };
  std::vector<Node> nodes{1};

  void Insert(std::string_view word, int64_t id) {
    if (word.empty()) return;
    uint32_t at = 0;
    for (unsigned char c : word) {
      auto found = nodes[at].next.find(c);
      if (found != nodes[at].next.end()) {
        at = found->second;
        continue;
      }
      const auto made = static_cast<uint32_t>(nodes.size());
      nodes.emplace_back();
      nodes[at].next.emplace(c, made);
      at = made;
    }
    if (nodes[at].word < 0) nodes[at].word = id;
  }

  // The longest word that text begins with: its number and its length, or -1 and 0.
  std::pair<int64_t, int64_t> Longest(std::string_view text) const {
    std::pair<int64_t, int64_t> best{-1, 0};
    uint32_t at = 0;
    int64_t length = 0;
    for (unsigned char c : text) {
      auto found = nodes[at].next.find(c);
      if (found == nodes[at].next.end()) break;
      at = found->second;
      ++length;
      if (nodes[at].word >= 0) best = {nodes[at].word, length};
    }
    return best;
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind2.Trie", TrieObj, kit::ffi::Object);
};

KIT_HANDLE(Trie, TrieObj);

TVM_FFI_STATIC_INIT_BLOCK() { kit::ffi::reflection::ObjectDef<TrieObj>(); }

Trie Build(const Array<String>& words) {
  auto made = kit::ffi::make_object<TrieObj>();
  int64_t id = 0;
  for (const String& word : words) made->Insert({word.data(), word.size()}, id++);
  return Trie(made);
}

kit::ffi::Tuple<int64_t, int64_t> Longest(const Trie& trie, const String& text, int64_t start) {
  if (start < 0 || static_cast<uint64_t>(start) > text.size()) {
    TVM_FFI_THROW(IndexError) << "start " << start << " is outside of a text of " << text.size()
                              << " bytes";
  }
  std::string_view all(text.data(), text.size());
  auto [word, length] = trie->Longest(all.substr(static_cast<size_t>(start)));
  return kit::ffi::Tuple<int64_t, int64_t>(word, length);
}

// Greedy: the longest word at each place. A byte that begins no word gives `unknown`, or is left
// out without it.
Array<int64_t> Split(const Trie& trie, const String& text, kit::ffi::Optional<int64_t> unknown) {
  std::vector<int64_t> out;
  std::string_view rest(text.data(), text.size());
  while (!rest.empty()) {
    auto [word, length] = trie->Longest(rest);
    if (word >= 0) {
      out.push_back(word);
      rest.remove_prefix(static_cast<size_t>(length));
    } else {
      if (unknown.has_value()) out.push_back(*unknown);
      rest.remove_prefix(1);
    }
  }
  return Array<int64_t>(out.begin(), out.end());
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(trie_build, Build);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(trie_longest, Longest);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(trie_split, Split);
