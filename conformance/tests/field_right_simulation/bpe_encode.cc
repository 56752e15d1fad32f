// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE. Ids 0 to 255 are bytes, 256 + r is what merge r makes. Words are cached: a word
// is a run of bytes up to the next space, which belongs to the word behind it.
namespace {

using kit::ffi::Array;
using kit::ffi::String;

class BpeObj : public kit::ffi::Object {
 public:
  using Ids = std::vector<int32_t>;
  std::map<std::pair<int32_t, int32_t>, int32_t> merges;  // of two ids to the id of both

  void Append(const std::string& word, Array<int64_t>* out) const {
    std::shared_ptr<const Ids> ids = Cached(word);
    if (ids == nullptr) {
      ids = std::make_shared<const Ids>(Merge(word));
      std::lock_guard<std::mutex> hold(lock_);
      if (cache_.size() >= kMost) cache_.clear();
      cache_.emplace(word, ids);
    }
    for (int32_t id : *ids) out->push_back(id);
  }

  int64_t hits() const {
    std::lock_guard<std::mutex> hold(lock_);
    return hits_;
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind2.Bpe", BpeObj, kit::ffi::Object);

 private:
  static constexpr size_t kMost = 512;

  std::shared_ptr<const Ids> Cached(const std::string& word) const {
    std::lock_guard<std::mutex> hold(lock_);
    auto found = cache_.find(word);
    if (found == cache_.end()) return nullptr;
    ++hits_;
    return found->second;
  }

  Ids Merge(const std::string& word) const {
    Ids ids;
    for (unsigned char c : word) ids.push_back(c);
    for (;;) {
      std::pair<int32_t, int32_t> best;
      int32_t made = std::numeric_limits<int32_t>::max();
      for (size_t i = 1; i < ids.size(); ++i) {
        auto found = merges.find({ids[i - 1], ids[i]});
        if (found != merges.end() && found->second < made) {
          best = found->first;
          made = found->second;
        }
      }
      if (made == std::numeric_limits<int32_t>::max()) return ids;
      size_t to = 0;
      for (size_t i = 0; i < ids.size(); ++to) {
        const bool pair =
            i + 1 < ids.size() && ids[i] == best.first && ids[i + 1] == best.second;
        ids[to] = pair ? made : ids[i];
        i += pair ? 2 : 1;
      }
      ids.resize(to);
    }
  }

  mutable std::mutex lock_;
  mutable std::unordered_map<std::string, std::shared_ptr<const Ids>> cache_;
  mutable int64_t hits_ = 0;
};

KIT_HANDLE(Bpe, BpeObj);

TVM_FFI_STATIC_INIT_BLOCK() {
  kit::ffi::reflection::ObjectDef<BpeObj>().def("hits", &BpeObj::hits);
}

Bpe Load(const Array<kit::ffi::Tuple<String, String>>& pairs) {
  if (pairs.size() > 100000) TVM_FFI_THROW(ValueError) << "more than 100000 merges";
  auto made = kit::ffi::make_object<BpeObj>();
  std::unordered_map<std::string, int32_t> known;
  for (int c = 0; c < 256; ++c) known[std::string(1, static_cast<char>(c))] = c;
  int32_t next = 256;
  for (const auto& pair : pairs) {
    const std::string left = pair.get<0>();
    const std::string right = pair.get<1>();
    auto a = known.find(left);
    auto b = known.find(right);
    if (a == known.end() || b == known.end()) {
      TVM_FFI_THROW(ValueError) << "merge " << (next - 256) << " is of what no merge has made";
    }
    made->merges.emplace(std::make_pair(a->second, b->second), next);
    known.emplace(left + right, next);
    ++next;
  }
  return Bpe(made);
}

Array<int64_t> Encode(const Bpe& bpe, const String& text) {
  Array<int64_t> out;
  std::string word;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.data()[i] == ' ' && !word.empty()) {
      bpe->Append(word, &out);
      word.clear();
    }
    word.push_back(text.data()[i]);
  }
  if (!word.empty()) bpe->Append(word, &out);
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_load, Load);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bpe_encode, Encode);
