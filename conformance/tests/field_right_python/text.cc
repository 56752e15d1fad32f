// SPDX-License-Identifier: Apache-2.0
static void join(const ffi::AnyView* args, int n, ffi::Any* result) {
  NEED(n >= 1, TypeError) << "join takes a separator and any number of parts";
  auto sep = argument<ffi::String>(args, 0);
  std::string text;
  for (int i = 1; i < n; i++) {
    auto part = argument<ffi::String>(args, i);
    if (i > 1) text.append(sep.data(), sep.size());
    text.append(part.data(), part.size());
  }
  *result = ffi::String(text);
}
EXPORT_PACKED(join, join)

// FNV-1a, of 32 bits.
static int64_t fnv(ffi::Bytes data, ffi::Optional<int64_t> seed) {
  int64_t s = seed.has_value() ? *seed : 2166136261;
  NEED(s >= 0 && s <= 4294967295, ValueError) << "seed must have 32 bits";
  uint32_t h = static_cast<uint32_t>(s);
  for (size_t i = 0; i < data.size(); i++) h = (h ^ static_cast<uint8_t>(data.data()[i])) * 16777619u;
  return h;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fnv, fnv);

static ffi::String decode(ffi::Array<ffi::String> vocab, ffi::TensorView ids) {
  View vi = view(ids, "ids", {I32, I64}, 1);
  std::string text;
  for (int64_t k = 0; k < vi.n; k++) {
    int64_t id = load_int(vi.dt, vi.at(k));
    NEED(id >= 0 && id < static_cast<int64_t>(vocab.size()), IndexError) << "no word has the id " << id;
    ffi::String word = vocab[id];
    text.append(word.data(), word.size());
  }
  return text;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(decode, decode);

// ASCII letters as capitals.
static ffi::Bytes upper(ffi::Bytes data) {
  std::string text(data.data(), data.size());
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
  return ffi::Bytes(text);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(upper, upper);

// What is between the separators, which are one character of ASCII.
static ffi::Array<ffi::String> words(ffi::String text, ffi::String sep) {
  NEED(sep == " " || sep == "," || sep == "|", ValueError) << "sep must be a space, a comma or a bar";
  ffi::Array<ffi::String> parts;
  std::string part;
  for (size_t i = 0; i < text.size(); i++) {
    if (text.data()[i] != sep.data()[0]) {
      part += text.data()[i];
      continue;
    }
    parts.push_back(part);
    part.clear();
  }
  parts.push_back(part);
  return parts;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(words, words);
