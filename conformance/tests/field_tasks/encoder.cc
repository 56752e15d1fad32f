// SPDX-License-Identifier: Apache-2.0
// Dictionary encoding of a column of strings, with ids from a callback.
namespace {

#if BUG == 2
using Word = std::string_view;
#else
using Word = std::string;
#endif

#if BUG == 6
std::unordered_map<std::string, int64_t> shared_ids;
std::vector<std::string> shared_words;
#endif

class EncoderObj : public ffi::Object {
 public:
  int64_t capacity;
#if BUG == 1
  ffi::AnyView route;
#else
  Any route;  // Function or None
#endif
#if BUG == 6
  std::unordered_map<std::string, int64_t>& ids = shared_ids;
  std::vector<std::string>& words = shared_words;
#else
  std::unordered_map<Word, int64_t> ids;
  std::vector<Word> words;
#endif
  mutable std::mutex mutex;

  EncoderObj(int64_t capacity, const Optional<Function>& f) : capacity(capacity) {
    if (f.has_value()) route = f.value();
  }

  static void CheckFits(int64_t id, const TensorView& out) {
#if BUG != 7
    if (Is(out.dtype(), kI32))
      TVM_FFI_CHECK(id <= std::numeric_limits<int32_t>::max(), ValueError) << "id " << id << " does not fit int32";
#endif
  }

  // Writes the id of each text, and returns how many of them were new.
  int64_t Encode(Array<String> texts, TensorView out) {
    NeedPlain(out, {kI32, kI64}, 1, "out");
    int64_t n = int64_t(texts.size());
    TVM_FFI_CHECK(out.size(0) == n, ValueError) << "out must have an element for each text";
    std::vector<Word> fresh;
    std::unordered_map<Word, int64_t> found;
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (const String& s : texts) {
        Word w(s.data(), s.size());
        auto it = ids.find(w);
        if (it != ids.end()) {
          found.emplace(w, it->second);
        } else if (found.emplace(w, -1).second) {
          fresh.push_back(w);
        }
      }
    }
    // The callback may call the encoder: no lock is held.
    if (route != nullptr) {
      Function f = route.cast<Function>();
      for (const Word& w : fresh) {
#if BUG == 5
        int64_t id = -1;
        try {
          id = f(String(w.data(), w.size())).cast<int64_t>();
        } catch (const ffi::Error&) {
          id = 0;  // the default route
        }
#else
        int64_t id = f(String(w.data(), w.size())).cast<int64_t>();
#endif
        TVM_FFI_CHECK(id >= 0, ValueError) << "route returned " << id;
        found[w] = id;
#if BUG == 4
        std::lock_guard<std::mutex> lock(mutex);
        if (int64_t(words.size()) < capacity && ids.emplace(w, id).second) words.push_back(w);
#endif
      }
    }
    std::lock_guard<std::mutex> lock(mutex);
    int64_t next = int64_t(words.size());
    std::vector<Word> added;
    for (const Word& w : fresh) {
      auto it = ids.find(w);
      if (it != ids.end()) {
        found[w] = it->second;  // by another thread, or the callback
        continue;
      }
      if (route == nullptr) found[w] = next;
      ++next;
      added.push_back(w);
    }
#if BUG == 3
    TVM_FFI_CHECK(added.empty() || int64_t(words.size()) < capacity, ValueError) << "the dictionary is full";
#else
    TVM_FFI_CHECK(next <= capacity, ValueError) << "the dictionary is full";
#endif
    for (const auto& kv : found) CheckFits(kv.second, out);
    for (const Word& w : added) {
      ids.emplace(w, found[w]);
      words.push_back(w);
    }
    for (int64_t i = 0; i < n; ++i) {
      String s = texts[i];
      int64_t id = found[Word(s.data(), s.size())];
      if (Is(out.dtype(), kI32))
        Data<int32_t>(out)[i] = int32_t(id);
      else
        Data<int64_t>(out)[i] = id;
    }
    return int64_t(fresh.size());
  }

  int64_t Size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return int64_t(words.size());
  }
  String At(int64_t i) const {
    std::lock_guard<std::mutex> lock(mutex);
    TVM_FFI_CHECK(i >= 0 && i < int64_t(words.size()), IndexError) << "there is no word " << i;
    return String(words[i].data(), words[i].size());
  }
  Optional<int64_t> Find(String text) const {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = ids.find(Word(text.data(), text.size()));
    if (it == ids.end()) return std::nullopt;
    return it->second;
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("columns.Encoder", EncoderObj, ffi::Object);
  static constexpr bool _type_mutable = true;
};

class Encoder : public ffi::ObjectRef {
 public:
  explicit Encoder(ffi::ObjectPtr<EncoderObj> p) : ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Encoder, ffi::ObjectRef, EncoderObj);
};

Encoder Make(int64_t capacity, Optional<Function> route) {
  TVM_FFI_CHECK(capacity >= 1 && capacity <= 1000000, ValueError) << "capacity must be from 1 to 1000000";
  return Encoder(ffi::make_object<EncoderObj>(capacity, route));
}
int64_t Encode(Encoder e, Array<String> texts, TensorView out) { return e->Encode(texts, out); }
int64_t Size(Encoder e) { return e->Size(); }
String At(Encoder e, int64_t i) { return e->At(i); }
Optional<int64_t> Find(Encoder e, String text) { return e->Find(text); }

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<EncoderObj>(refl::init(false))
      .def_ro("capacity", &EncoderObj::capacity)
      .def("encode", &EncoderObj::Encode)
      .def("size", &EncoderObj::Size)
      .def("at", &EncoderObj::At)
      .def("find", &EncoderObj::Find);
}

}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder, Make)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder_encode, Encode)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder_size, Size)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder_at, At)
TVM_FFI_DLL_EXPORT_TYPED_FUNC(encoder_find, Find)
