// SPDX-License-Identifier: Apache-2.0
// caught by argument.wrong-plain-value.small-string
#include "by_hand.h"
#include "spelled.h"

// Whatever is handed over for the words is taken for a C string.
EXPORT_BY_HAND(spelled)
{
  TVM_FFI_SAFE_CALL_BEGIN();
  kernels::CheckCount(num_args, 4);
  auto taken = [&](int i) { return tvm::ffi::AnyView::CopyFromTVMFFIAny(args[i]); };
  if (args[3].type_index != kTVMFFIByteArrayPtr)
    TVM_FFI_THROW(TypeError) << "octets has to be a byte array";
  *result = tvm::ffi::details::AnyUnsafe::MoveAnyToTVMFFIAny(tvm::ffi::Any(
      kernels::Spelled(taken(0).cast<tvm::ffi::Tensor>(), taken(1).cast<DLTensor *>(),
                       args[2].v_c_str, static_cast<TVMFFIByteArray *>(args[3].v_ptr))));
  TVM_FFI_SAFE_CALL_END();
}
