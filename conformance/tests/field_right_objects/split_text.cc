// SPDX-License-Identifier: Apache-2.0
// split_text(text, separator, most=None): the parts of a text, at most `most` + 1 of them.
using tvm::ffi::Array;
using tvm::ffi::Optional;
using tvm::ffi::String;

static Array<String> split(String text, String separator, Optional<int64_t> most) {
  const std::string_view all(text.data(), text.size()), sep(separator.data(), separator.size());
  if (sep.empty()) TVM_FFI_THROW(ValueError) << "empty separator";
  if (most.has_value() && *most < 0) TVM_FFI_THROW(ValueError) << "most is negative";
  const uint64_t cuts = most.has_value() ? static_cast<uint64_t>(*most) : UINT64_MAX;

  Array<String> parts;
  size_t from = 0;
  while (parts.size() < cuts) {
    const size_t at = all.find(sep, from);
    if (at == std::string_view::npos) break;
    parts.push_back(String(all.data() + from, at - from));
    from = at + sep.size();
  }
  parts.push_back(String(all.data() + from, all.size() - from));
  return parts;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(split_text, split);
