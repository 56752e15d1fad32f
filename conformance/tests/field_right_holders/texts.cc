// SPDX-License-Identifier: Apache-2.0
// strings and bytes
String repeat_text(String text, int64_t times) {
  REQUIRE(times >= 0 && times <= 4, ValueError, "times must lie in [0, 4]");
  REQUIRE(text.size() <= 1 << 20, ValueError, "text is too long");
  std::string out;
  for (int64_t i = 0; i < times; ++i) out.append(text.data(), text.size());
  return out;
}
ffi::Bytes xor_bytes(ffi::Bytes bytes, ffi::Bytes key) {
  REQUIRE(key.size() > 0, ValueError, "key must not be empty");
  std::string out(bytes.data(), bytes.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(out[i] ^ key.data()[i % key.size()]);
  return ffi::Bytes(out);
}
Array<int64_t> find_all(String text, Array<String> words) {
  std::string hay(text.data(), text.size());
  Array<int64_t> out;
  for (const String& w : words) {
    size_t at = hay.find(std::string(w.data(), w.size()));
    out.push_back(at == std::string::npos ? -1 : static_cast<int64_t>(at));
  }
  return out;
}
// join_texts(separator, *texts)
void join_texts(ffi::PackedArgs args, Any* rv) {
  REQUIRE(args.size() >= 1, TypeError, "join_texts takes a separator");
  auto sep = args[0].try_cast<String>();
  REQUIRE(sep.has_value(), TypeError, "the separator must be a string");
  std::string out;
  for (int i = 1; i < args.size(); ++i) {
    auto t = args[i].try_cast<String>();
    REQUIRE(t.has_value(), TypeError, "argument " << i << " must be a string");
    if (i > 1) out.append(sep->data(), sep->size());
    out.append(t->data(), t->size());
  }
  *rv = String(out);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(repeat_text, repeat_text);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(xor_bytes, xor_bytes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(find_all, find_all);
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_join_texts(void*, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Any rv;
  join_texts(ffi::PackedArgs(reinterpret_cast<const ffi::AnyView*>(args), n), &rv);
  *reinterpret_cast<Any*>(result) = std::move(rv);
  TVM_FFI_SAFE_CALL_END();
}
