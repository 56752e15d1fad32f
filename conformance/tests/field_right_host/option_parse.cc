// SPDX-License-Identifier: Apache-2.0
// "key=value;key=value" to a map. Values are true, false, whole numbers of up to 18 digits, or
// texts.
using tvm::ffi::Any;
using tvm::ffi::Map;
using tvm::ffi::String;

namespace {

bool is_key(std::string_view s) {
  if (s.empty() || (s[0] >= '0' && s[0] <= '9')) return false;
  return s.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

Any value_of(std::string_view s) {
  if (s == "true") return true;
  if (s == "false") return false;
  bool negative = !s.empty() && s[0] == '-';
  std::string_view digits = s.substr(negative ? 1 : 0);
  if (!digits.empty() && digits.size() <= 18 &&
      digits.find_first_not_of("0123456789") == std::string_view::npos) {
    int64_t n = 0;
    for (char c : digits) n = n * 10 + (c - '0');
    return negative ? -n : n;
  }
  return String(s.data(), s.size());
}

Map<String, Any> parse(String text) {
  Map<String, Any> options;
  std::string_view rest(text.data(), text.size());
  while (!rest.empty()) {
    size_t end = std::min(rest.find(';'), rest.size());
    std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty()) continue;  // ";;", and a ";" at an end
    size_t mid = pair.find('=');
    if (mid == std::string_view::npos) TVM_FFI_THROW(ValueError) << "an option without a value";
    if (!is_key(pair.substr(0, mid))) TVM_FFI_THROW(ValueError) << "an option with a bad name";
    String key(pair.data(), mid);
    if (options.count(key) != 0) TVM_FFI_THROW(ValueError) << "an option that is there twice";
    options.Set(key, value_of(pair.substr(mid + 1)));
  }
  return options;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(option_parse, parse);
