// SPDX-License-Identifier: Apache-2.0
// Asks for the metadata of a function whose symbol for metadata returns None. Exit code 1 if that
// is an error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifdef MODULE

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int __tvm_ffi_foo(void *self, const TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  (void)self, (void)args, (void)count;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

EXPORTED int __tvm_ffi__metadata_foo(void *self, const TVMFFIAny *args, int32_t count,
                                     TVMFFIAny *result)
{
  return __tvm_ffi_foo(self, args, count, result);
}

#else

static int call(const char *name, TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  const TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  if (TVMFFIFunctionGetGlobal(&text, &function) || !function) exit(2);
  return TVMFFIFunctionCall(function, args, count, result);
}

int main(int count, char **arguments)
{
  if (count != 2) return 2;
  TVMFFIAny path = {.type_index = kTVMFFIRawStr, .v_c_str = arguments[1]}, module, metadata;
  if (call("ffi.ModuleLoadFromFile", &path, 1, &module)) return 2;
  TVMFFIAny args[] = {
      module, {.type_index = kTVMFFIRawStr, .v_c_str = "foo"}, {.type_index = kTVMFFIBool}};
  const int code = call("ffi.ModuleGetFunctionMetadata", args, 3, &metadata);
  printf("code %d\n", code);
  return code != 0;
}

#endif
