// SPDX-License-Identifier: Apache-2.0
// One record of a CSV file: split into its fields (RFC 4180), and joined from values.
using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::TypeIndex;

namespace {

char separator(const Optional<String>& given) {
  if (!given.has_value()) return ',';
  const String& sep = *given;
  if (sep.size() == 1 && std::string_view(",;|").find(sep.data()[0]) != std::string_view::npos) {
    return sep.data()[0];
  }
  TVM_FFI_THROW(ValueError) << "unknown separator";
}

Array<String> split(String line, Optional<String> sep) {
  const char cut = separator(sep);
  const char* p = line.data();
  const char* const end = p + line.size();
  Array<String> fields;
  for (;;) {
    std::string field;
    if (p != end && *p == '"') {
      ++p;
      for (;;) {
        const char* quote = std::find(p, end, '"');
        field.append(p, quote);
        if (quote == end) TVM_FFI_THROW(ValueError) << "a quoted field does not end";
        p = quote + 1;
        if (p == end || *p != '"') break;
        field.push_back('"');
        ++p;
      }
      if (p != end && *p != cut) {
        TVM_FFI_THROW(ValueError) << "text behind the quoted field " << fields.size();
      }
    } else {
      const char* stop = std::find(p, end, cut);
      if (std::find(p, stop, '"') != stop) {
        TVM_FFI_THROW(ValueError) << "a quote within the bare field " << fields.size();
      }
      field.assign(p, stop);
      p = stop;
    }
    fields.push_back(String(std::move(field)));
    if (p == end) return fields;
    ++p;
  }
}

void append(std::string* line, std::string_view text, char cut) {
  const char special[] = {cut, '"', '\n', '\r'};
  if (text.find_first_of(std::string_view(special, 4)) == std::string_view::npos) {
    line->append(text);
    return;
  }
  line->push_back('"');
  for (char c : text) {
    if (c == '"') line->push_back('"');
    line->push_back(c);
  }
  line->push_back('"');
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(csv_split, split);

// csv_join(sep, fields...): fields are texts, ints, bools or None (an empty field).
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_csv_join(void*, const TVMFFIAny* args, int32_t n,
                                                     TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  if (n < 1) TVM_FFI_THROW(TypeError) << "csv_join takes a separator, and the fields behind it";
  const AnyView* views = reinterpret_cast<const AnyView*>(args);
  auto sep = views[0].try_cast<Optional<String>>();
  if (!sep.has_value()) {
    TVM_FFI_THROW(TypeError) << "the separator is a " << views[0].GetTypeKey();
  }
  const char cut = separator(*sep);
  std::string line;
  for (int32_t i = 1; i < n; ++i) {
    if (i > 1) line.push_back(cut);
    switch (views[i].type_index()) {
      case TypeIndex::kTVMFFINone:
        break;
      case TypeIndex::kTVMFFIBool:
        line += args[i].v_int64 != 0 ? "true" : "false";
        break;
      case TypeIndex::kTVMFFIInt:
        line += std::to_string(args[i].v_int64);
        break;
      default: {
        auto text = views[i].try_cast<String>();
        if (!text.has_value()) {
          TVM_FFI_THROW(TypeError) << "field " << i - 1 << " is a " << views[i].GetTypeKey();
        }
        append(&line, std::string_view(text->data(), text->size()), cut);
      }
    }
  }
  *reinterpret_cast<Any*>(result) = String(std::move(line));
  TVM_FFI_SAFE_CALL_END();
}
