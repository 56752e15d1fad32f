// SPDX-License-Identifier: Apache-2.0
// passes
// tally(parts...) -> int: how many elements vectors of float32 have together. The only call that its file rules out by a
// value has no tensor, so that no refused one can have changed one.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

namespace
{

namespace ffi = tvm::ffi;

int64_t Tally(ffi::PackedArgs args)
{
  int64_t count = 0;
  if (args.size() <= 0) TVM_FFI_THROW(ValueError) << "parts must not be empty";
  for (int i = 0; i < args.size(); ++i) {
    const auto part = args[i].try_cast<ffi::TensorView>();
    if (!part) TVM_FFI_THROW(TypeError) << "parts[" << i << "] must be a tensor";
    const DLDataType type = part->dtype();
    if (type.code != kDLFloat || type.bits != 32 || type.lanes != 1)
      TVM_FFI_THROW(TypeError) << "parts[" << i << "] must be float32";
    if (part->ndim() != 1 || part->device().device_type != kDLCPU)
      TVM_FFI_THROW(ValueError) << "parts[" << i << "] must be a vector on the CPU";
    if (part->size(0) > 0 && !part->data_ptr())
      TVM_FFI_THROW(ValueError) << "parts[" << i << "] has no data";
    count += part->size(0);
  }
  return count;
}

}  // namespace

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_tally(void *, const TVMFFIAny *args, int32_t count,
                                                   TVMFFIAny *result)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  *reinterpret_cast<ffi::Any *>(result) =
      Tally(ffi::PackedArgs(reinterpret_cast<const ffi::AnyView *>(args), count));
  TVM_FFI_SAFE_CALL_END();
}
