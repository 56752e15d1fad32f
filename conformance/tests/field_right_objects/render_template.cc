// SPDX-License-Identifier: Apache-2.0
// render_template("{name} has {n}", {"name": "x", "n": 3}); "{{" and "}}" are single brackets.
using tvm::ffi::Map;
using tvm::ffi::String;
using tvm::ffi::Variant;

namespace {

using Value = Variant<int64_t, String>;

std::string Text(const Value& value) {
  if (std::optional<int64_t> number = value.as<int64_t>()) return std::to_string(*number);
  return std::string(kit::View(value.get<String>()));
}

String Render(String pattern, Map<String, Value> values) {
  std::string out;
  const char* at = pattern.data();
  const char* const end = at + pattern.size();
  while (at != end) {
    const char c = *at++;
    if (c != '{' && c != '}') {
      out += c;
    } else if (at != end && *at == c) {
      out += c;
      ++at;
    } else if (c == '}') {
      TVM_FFI_THROW(ValueError) << "a closing bracket without an opening one";
    } else {
      const char* const close = std::find(at, end, '}');
      if (close == end) TVM_FFI_THROW(ValueError) << "an opening bracket is never closed";
      const String name(at, static_cast<size_t>(close - at));
      auto it = values.find(name);
      if (it == values.end()) TVM_FFI_THROW(KeyError) << "no value of the name '" << name << "'";
      out += Text((*it).second);
      at = close + 1;
    }
  }
  return String(out);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(render_template, Render);
