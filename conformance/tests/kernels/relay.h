// SPDX-License-Identifier: Apache-2.0
// relay(f, n): looks a function up, and calls f with n. An including file says in CALL_CODE and
// LOOKUP_CODE what becomes of the code of either.
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_RELAY_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_RELAY_H_

#include <string.h>
#include <tvm/ffi/c_api.h>

#ifndef CALL_CODE
#define CALL_CODE(code) (code)
#endif
#ifndef LOOKUP_CODE
#define LOOKUP_CODE(code) (code)
#endif

static inline int relay_fail(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("TypeError", message);
  return -1;
}

__attribute__((visibility("default"))) int __tvm_ffi_relay(void *handle, const TVMFFIAny *args,
                                                           int32_t num_args, TVMFFIAny *result);

int __tvm_ffi_relay(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  static const TVMFFIByteArray name = {"ffi.Shape", 9};
  TVMFFIObjectHandle found = NULL;
  TVMFFIAny n;
  (void)handle;
  (void)result;
  if (num_args != 2) return relay_fail("relay takes 2 arguments, f and n");
  if (args[0].type_index != kTVMFFIFunction) return relay_fail("f has to be a function");
  if (args[1].type_index != kTVMFFIInt && args[1].type_index != kTVMFFIBool)
    return relay_fail("n has to be an int");
  int code = TVMFFIFunctionGetGlobal(&name, &found);
  if (found) TVMFFIObjectDecRef(found);
  if (LOOKUP_CODE(code) != 0) return code;
  TVMFFIAny given;
  memset(&given, 0, sizeof given);
  memcpy(&n, &args[1], sizeof n);
  n.type_index = kTVMFFIInt;
  code = TVMFFIFunctionCall(args[0].v_obj, &n, 1, &given);
  if (given.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(given.v_obj);
  return CALL_CODE(code);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_RELAY_H_
