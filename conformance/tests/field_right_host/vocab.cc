// SPDX-License-Identifier: Apache-2.0
// A vocabulary as an object: text is cut into the longest pieces, from left to right.
namespace x7 {

using namespace tvm::ffi;

// Not changed after it was opened: any number of threads may use one.
class VocabObj : public Object {
 public:
  explicit VocabObj(std::vector<std::string> all) : pieces(std::move(all)) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].empty()) TVM_FFI_THROW(ValueError) << "piece " << i << " is empty";
      if (!ids.emplace(pieces[i], static_cast<int64_t>(i)).second)
        TVM_FFI_THROW(ValueError) << "piece " << i << " is there twice: " << pieces[i];
      longest = std::max(longest, pieces[i].size());
    }
  }

  const std::vector<std::string> pieces;
  std::unordered_map<std::string_view, int64_t> ids;  // views of `pieces`
  size_t longest = 0;
  int64_t unknown = -1;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("x7.Vocab", VocabObj, Object);
};

class Vocab : public ObjectRef {
 public:
  explicit Vocab(ObjectPtr<VocabObj> p) : ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Vocab, ObjectRef, VocabObj);
};

Vocab open(Array<String> pieces, Optional<String> unknown) {
  std::vector<std::string> all;
  all.reserve(pieces.size());
  for (const String& p : pieces) all.emplace_back(p.data(), p.size());
  auto vocab = make_object<VocabObj>(std::move(all));
  if (unknown.has_value()) {
    String u = *unknown;
    auto it = vocab->ids.find(std::string_view(u.data(), u.size()));
    if (it == vocab->ids.end()) TVM_FFI_THROW(KeyError) << "the unknown piece is not a piece: " << u;
    vocab->unknown = it->second;
  }
  return Vocab(std::move(vocab));
}

Shape encode(Vocab vocab, String text) {
  std::string_view rest(text.data(), text.size());
  std::vector<int64_t> ids;
  while (!rest.empty()) {
    size_t n = std::min(vocab->longest, rest.size());
    auto it = vocab->ids.end();
    for (; n > 0; --n) {
      it = vocab->ids.find(rest.substr(0, n));
      if (it != vocab->ids.end()) break;
    }
    if (n > 0) {
      ids.push_back(it->second);
    } else if (vocab->unknown >= 0) {
      ids.push_back(vocab->unknown);
      n = 1;  // a whole character: bytes 10xxxxxx continue one
      while (n < rest.size() && (static_cast<unsigned char>(rest[n]) & 0xc0) == 0x80) ++n;
    } else {
      TVM_FFI_THROW(ValueError) << "no piece fits at byte " << text.size() - rest.size();
    }
    rest.remove_prefix(n);
  }
  return Shape(std::move(ids));
}

String decode(Vocab vocab, Shape ids) {
  std::string text;
  for (int64_t id : ids) {
    if (id < 0 || id >= static_cast<int64_t>(vocab->pieces.size()))
      TVM_FFI_THROW(IndexError) << "no piece has the number " << id;
    text += vocab->pieces[id];
  }
  return text;
}

}  // namespace x7

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vocab_open, x7::open);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vocab_encode, x7::encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vocab_decode, x7::decode);
