// SPDX-License-Identifier: Apache-2.0
// breaks SHOULD: KER-2 KER-3 KER-5 KER-19 KER-33 KER-46 ARG-1 ARG-2 ARG-5 ARG-6 ARG-16
// breaks HARDENING: KER-4 ARG-4
// The callee of the "ABI Overview", section "Simplified Example", as a module: the name it is exported by and the body of
// MyFunc, which the document only declares, are ours.
#include <assert.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

int MyFunc(const char *param0, int param1)
{
  return (int)strlen(param0) + param1;
}

#define MyFuncTVMFFISafeCall __tvm_ffi_my_func

TVM_FFI_DLL_EXPORT int MyFuncTVMFFISafeCall(void *handle, const TVMFFIAny *args, int32_t num_args,
                                            TVMFFIAny *result)
{
  assert(args[0].type_index == kTVMFFIRawStr);
  assert(args[1].type_index == kTVMFFIInt);
  result->type_index = kTVMFFIInt;
  result->v_int64 = MyFunc(args[0].v_c_str, args[1].v_int64);
  return 0;
}
