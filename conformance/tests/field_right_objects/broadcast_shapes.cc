// SPDX-License-Identifier: Apache-2.0
// The shape that tensors of the given shapes broadcast to; any number of them.
namespace {

namespace ffi = tvm::ffi;

ffi::Shape Broadcast(const ffi::AnyView* args, int32_t count) {
  std::vector<int64_t> result;  // the last extent first
  for (int32_t a = 0; a < count; ++a) {
    std::optional<ffi::Shape> shape = args[a].try_cast<ffi::Shape>();
    if (!shape) {
      TVM_FFI_THROW(TypeError) << "argument " << a << " must be a shape, not "
                               << args[a].GetTypeKey();
    }
    for (size_t i = 0; i < shape->size(); ++i) {
      const int64_t extent = (*shape)[shape->size() - 1 - i];
      if (extent < 0) TVM_FFI_THROW(ValueError) << "negative extent in argument " << a;
      if (i == result.size()) result.push_back(1);
      if (extent == 1 || extent == result[i]) continue;
      if (result[i] != 1) {
        TVM_FFI_THROW(ValueError) << "argument " << a << " does not broadcast: " << extent
                                  << " against " << result[i];
      }
      result[i] = extent;
    }
  }
  return ffi::Shape(result.rbegin(), result.rend());
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_broadcast_shapes(void*, const TVMFFIAny* args,
                                                             int32_t num_args,
                                                             TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<ffi::Any*>(result) =
      Broadcast(reinterpret_cast<const ffi::AnyView*>(args), num_args);
  TVM_FFI_SAFE_CALL_END();
}
