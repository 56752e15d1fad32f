// SPDX-License-Identifier: Apache-2.0
// Counts n-grams of words. The handle is an object with methods; ngram_total takes it as argument.
namespace {

namespace ffi = tvm::ffi;
using ffi::String;

class NgramCounterObj : public ffi::Object {
 public:
  explicit NgramCounterObj(size_t n) : n_(n) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor5.NgramCounter", NgramCounterObj, ffi::Object);

  const size_t n_;
  std::mutex lock_;
  std::map<std::string, int64_t, std::less<>> counts_;
};

class NgramCounter : public ffi::ObjectRef {
 public:
  explicit NgramCounter(size_t n) : ffi::ObjectRef(ffi::make_object<NgramCounterObj>(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(NgramCounter, ffi::ObjectRef, NgramCounterObj);
};

std::vector<std::string_view> Words(std::string_view text) {
  const std::string_view blank = " \t\r\n";
  std::vector<std::string_view> words;
  size_t at = text.find_first_not_of(blank);
  while (at != std::string_view::npos) {
    size_t end = std::min(text.find_first_of(blank, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blank, end);
  }
  return words;
}

// How many n-grams the text has.
int64_t Add(NgramCounter self, String text) {
  const std::vector<std::string_view> words = Words(kit::View(text));
  if (words.size() < self->n_) return 0;
  const size_t grams = words.size() - self->n_ + 1;
  std::lock_guard<std::mutex> guard(self->lock_);
  for (size_t i = 0; i < grams; ++i) {
    std::string gram(words[i]);
    for (size_t k = 1; k < self->n_; ++k) gram.append(" ").append(words[i + k]);
    ++self->counts_[gram];
  }
  return static_cast<int64_t>(grams);
}

int64_t CountOf(NgramCounter self, String gram) {
  std::lock_guard<std::mutex> guard(self->lock_);
  auto it = self->counts_.find(kit::View(gram));
  return it == self->counts_.end() ? 0 : it->second;
}

// The most frequent first, equal ones in the order of their bytes.
ffi::Array<ffi::Tuple<String, int64_t>> Top(NgramCounter self, int64_t k) {
  if (k < 0) TVM_FFI_THROW(ValueError) << "top: k must be at least 0";
  std::vector<std::pair<std::string, int64_t>> all;
  {
    std::lock_guard<std::mutex> guard(self->lock_);
    all.assign(self->counts_.begin(), self->counts_.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (static_cast<uint64_t>(k) < all.size()) all.resize(static_cast<size_t>(k));
  ffi::Array<ffi::Tuple<String, int64_t>> top;
  for (const auto& [gram, count] : all) {
    top.push_back(ffi::Tuple<String, int64_t>(String(gram), count));
  }
  return top;
}

// Adds what the other one counted; a counter merged with itself counts double.
void Merge(NgramCounter self, NgramCounter other) {
  if (self->n_ != other->n_) TVM_FFI_THROW(ValueError) << "merge: counters of different n";
  std::map<std::string, int64_t, std::less<>> theirs;
  {
    std::lock_guard<std::mutex> guard(other->lock_);
    theirs = other->counts_;
  }
  std::lock_guard<std::mutex> guard(self->lock_);
  for (const auto& [gram, count] : theirs) self->counts_[gram] += count;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<NgramCounterObj>()
      .def("add", Add)
      .def("count", CountOf)
      .def("top", Top)
      .def("merge", Merge);
}

NgramCounter New(int64_t n) {
  if (n < 1 || n > 8) TVM_FFI_THROW(ValueError) << "n-grams of 1 to 8 words, not " << n;
  return NgramCounter(static_cast<size_t>(n));
}

int64_t Total(NgramCounter counter) {
  std::lock_guard<std::mutex> guard(counter->lock_);
  int64_t total = 0;
  for (const auto& entry : counter->counts_) total += entry.second;
  return total;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(ngram_counter, New);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(ngram_total, Total);
