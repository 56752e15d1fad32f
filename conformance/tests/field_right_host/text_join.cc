// SPDX-License-Identifier: Apache-2.0
// text_join(separator, part, part, ...) in the packed convention: parts are texts or whole numbers.
namespace {

using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::String;

String join(const AnyView* args, int32_t count) {
  if (count < 1) TVM_FFI_THROW(TypeError) << "text_join needs a separator";
  std::optional<String> separator = args[0].try_cast<String>();
  if (!separator) TVM_FFI_THROW(TypeError) << "the separator is not a text";
  std::string all;
  for (int32_t i = 1; i < count; ++i) {
    if (i > 1) all.append(separator->data(), separator->size());
    if (auto text = args[i].try_cast<String>()) {
      all.append(text->data(), text->size());
    } else if (auto number = args[i].try_cast<int64_t>()) {
      all += std::to_string(*number);
    } else {
      TVM_FFI_THROW(TypeError) << "part " << i << " is neither a text nor a whole number";
    }
  }
  return String(std::move(all));
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_text_join(void*, const TVMFFIAny* args,
                                                      int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<Any*>(result) = join(reinterpret_cast<const AnyView*>(args), num_args);
  TVM_FFI_SAFE_CALL_END();
}
