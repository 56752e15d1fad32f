// SPDX-License-Identifier: Apache-2.0
// Strings and bytes in all their spellings.
Any Join(ffi::PackedArgs args) {
  REQUIRE(TypeError, args.size() >= 1) << "join: expected a separator";
  String sep = to_string(args[0], "sep");
  std::string out;
  for (int i = 1; i < args.size(); ++i) {
    if (i > 1) out.append(sep.data(), sep.size());
    String part = to_string(args[i], "parts");
    out.append(part.data(), part.size());
  }
  return String(out);
}
String Tag(const char* name) {
  std::string_view v(name);
  REQUIRE(ValueError, !v.empty()) << "name must not be empty";
  return String("<" + std::string(v) + ">");
}
int64_t Adler(TVMFFIByteArray* data) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < data->size; ++i) a = (a + uint8_t(data->data[i])) % 65521, b = (b + a) % 65521;
  return int64_t(b) << 16 | a;
}
bool Same(Bytes a, Bytes b) { return std::string_view(a.data(), a.size()) == std::string_view(b.data(), b.size()); }
// at most `limit` bytes of text, never a part of a character; `ending` behind it if something was cut
String Shorten(String text, int64_t limit, Optional<String> ending) {
  REQUIRE(ValueError, limit >= 0 && limit <= 64) << "limit must be from 0 to 64";
  size_t n = text.size();
  if (n <= size_t(limit)) return text;
  n = size_t(limit);
  while (n > 0 && (uint8_t(text.data()[n]) & 0xc0) == 0x80) --n;
  std::string out(text.data(), n);
  if (ending.has_value()) out.append(ending.value().data(), ending.value().size());
  return String(out);
}
// a word for the type of anything
String KindOf(AnyView v) {
  int32_t t = v.type_index();
  if (t == ffi::TypeIndex::kTVMFFINone) return "none";
  if (t == ffi::TypeIndex::kTVMFFIBool) return "bool";
  if (t == ffi::TypeIndex::kTVMFFIInt) return "int";
  if (t == ffi::TypeIndex::kTVMFFIFloat) return "float";
  if (v.try_cast<String>()) return "string";
  if (v.try_cast<Bytes>()) return "bytes";
  return "other";
}
bool IsNull(void* p) { return p == nullptr; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kind_of, KindOf);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(is_null, IsNull);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(tag, Tag);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(adler, Adler);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(shorten, Shorten);
EXPORT_PACKED(join, Join);
