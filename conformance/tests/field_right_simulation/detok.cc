// SPDX-License-Identifier: Apache-2.0
// A detokenizer for streams. Ids 0 to 255 are single bytes, those above name pieces of text. What
// comes out is always whole characters; bytes of an unfinished one wait for the next call.
namespace {

using kit::ffi::Array;
using kit::ffi::String;
using kit::ffi::TensorView;

constexpr const char kBroken[] = "\xEF\xBF\xBD";  // U+FFFD

class DetokObj : public kit::ffi::Object {
 public:
  explicit DetokObj(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  int64_t Known() const { return 256 + static_cast<int64_t>(pieces_.size()); }

  String Put(const int32_t* ids, int64_t n) {
    std::lock_guard<std::mutex> hold(lock_);
    std::string out;
    for (int64_t i = 0; i < n; ++i) {
      if (ids[i] < 256) Byte(static_cast<unsigned char>(ids[i]), &out);
      if (ids[i] < 256) continue;
      for (unsigned char c : pieces_[static_cast<size_t>(ids[i]) - 256]) Byte(c, &out);
    }
    return out;
  }

  String Flush() {
    std::lock_guard<std::mutex> hold(lock_);
    const bool some = !waiting_.empty();
    Reset();
    return some ? String(kBroken) : String("");
  }

  int64_t Waiting() {
    std::lock_guard<std::mutex> hold(lock_);
    return static_cast<int64_t>(waiting_.size());
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blind2.Detok", DetokObj, kit::ffi::Object);

 private:
  void Reset() {
    waiting_.clear();
    missing_ = 0;
    low_ = 0x80;
    high_ = 0xBF;
  }

  // The table of well-formed byte sequences in the Unicode standard, as a machine of states.
  void Byte(unsigned char c, std::string* out) {
    if (missing_ > 0) {
      if (c >= low_ && c <= high_) {
        waiting_.push_back(static_cast<char>(c));
        low_ = 0x80;
        high_ = 0xBF;
        if (--missing_ == 0) {
          out->append(waiting_);
          Reset();
        }
        return;
      }
      out->append(kBroken);
      Reset();
    }
    if (c < 0x80) {
      out->push_back(static_cast<char>(c));
    } else if (c >= 0xC2 && c <= 0xF4) {
      waiting_.push_back(static_cast<char>(c));
      missing_ = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
      if (c == 0xE0) low_ = 0xA0;
      if (c == 0xED) high_ = 0x9F;
      if (c == 0xF0) low_ = 0x90;
      if (c == 0xF4) high_ = 0x8F;
    } else {
      out->append(kBroken);
    }
  }

  const std::vector<std::string> pieces_;
  std::mutex lock_;
  std::string waiting_;
  int missing_ = 0;
  unsigned char low_ = 0x80;
  unsigned char high_ = 0xBF;
};

KIT_HANDLE(Detok, DetokObj);

TVM_FFI_STATIC_INIT_BLOCK() {
  kit::ffi::reflection::ObjectDef<DetokObj>(kit::ffi::reflection::init(false))
      .def("waiting", &DetokObj::Waiting)
      .def("flush", &DetokObj::Flush);
}

Detok New(const Array<String>& pieces) {
  // Copied, so that no array of the caller's is kept.
  std::vector<std::string> own;
  for (const String& piece : pieces) own.emplace_back(piece.data(), piece.size());
  return Detok(kit::ffi::make_object<DetokObj>(std::move(own)));
}

String Push(const Detok& state, TensorView ids) {
  const int32_t* p = kit::Cells<int32_t>(ids, "ids", {kit::kAny});
  const int64_t n = ids.size(0);
  for (int64_t i = 0; i < n; ++i) {
    if (p[i] < 0 || p[i] >= state->Known()) {
      TVM_FFI_THROW(IndexError) << "id " << p[i] << " at " << i << " is not in the vocabulary";
    }
  }
  return state->Put(p, n);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(detok_new, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(detok_push, Push);
