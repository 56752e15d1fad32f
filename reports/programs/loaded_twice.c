// SPDX-License-Identifier: Apache-2.0
// Loads a module twice, releases the second, and calls a function of the first, which looks
// for a registered function by its context. Crashes, or exits with 1, if that is the context of the
// module that is gone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#ifdef MODULE

__attribute__((visibility("default"))) void *__tvm_ffi__library_ctx;

__attribute__((visibility("default"))) int __tvm_ffi_ask(void *self, const TVMFFIAny *args,
                                                         int32_t count, TVMFFIAny *result)
{
  (void)self, (void)args, (void)count;
  TVMFFIObjectHandle found;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "ffi.Array", &found);
}

#else

static TVMFFIAny call(const char *name, TVMFFIAny *args, int32_t count)
{
  const TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionGetGlobal(&text, &function) || !function) exit(2);
  if (TVMFFIFunctionCall(function, args, count, &result)) exit(2);
  TVMFFIObjectDecRef(function);
  return result;
}

int main(int count, char **arguments)
{
  if (count != 2) return 2;
  TVMFFIAny path = {.type_index = kTVMFFIRawStr, .v_c_str = arguments[1]};
  TVMFFIAny module = call("ffi.ModuleLoadFromFile", &path, 1);
  TVMFFIAny asked[] = {
      module, {.type_index = kTVMFFIRawStr, .v_c_str = "ask"}, {.type_index = kTVMFFIBool}};
  TVMFFIAny ask = call("ffi.ModuleGetFunction", asked, 3), result = {.type_index = kTVMFFINone};
  TVMFFIObjectDecRef(call("ffi.ModuleLoadFromFile", &path, 1).v_obj);
  // What was freed is used again by somebody.
  for (size_t size = 16; size <= 512; size += 16)
    for (int i = 0; i < 16; ++i) {
      void *block = malloc(size);
      if (block) memset(block, 0xA5, size);
    }
  const int code = TVMFFIFunctionCall(ask.v_obj, NULL, 0, &result);
  printf("code %d\n", code);
  return code != 0;
}

#endif
