// SPDX-License-Identifier: Apache-2.0
// Looks for functions of a module by names that are none of its functions. Exit code 1 if
// one of them is found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#ifdef MODULE

__attribute__((visibility("default"))) void *__tvm_ffi__library_ctx;

__attribute__((visibility("default"))) int __tvm_ffi_foo(void *self, const TVMFFIAny *args,
                                                         int32_t count, TVMFFIAny *result)
{
  (void)self, (void)args, (void)count;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

#else

static TVMFFIAny call(const char *name, TVMFFIAny *args, int32_t count)
{
  const TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionGetGlobal(&text, &function) || !function) exit(2);
  if (TVMFFIFunctionCall(function, args, count, &result)) exit(2);
  return result;
}

static int found(TVMFFIAny module, const char *data, size_t size)
{
  const TVMFFIByteArray text = {data, size};
  TVMFFIAny args[] = {module, {.type_index = kTVMFFIStr}, {.type_index = kTVMFFIBool}};
  if (TVMFFIStringFromByteArray(&text, &args[1])) exit(2);
  return call("ffi.ModuleGetFunction", args, 3).type_index != kTVMFFINone;
}

int main(int count, char **arguments)
{
  if (count != 2) return 2;
  TVMFFIAny path = {.type_index = kTVMFFIRawStr, .v_c_str = arguments[1]};
  TVMFFIAny module = call("ffi.ModuleLoadFromFile", &path, 1);
  if (!found(module, "foo", 3)) return 2;
  const int reserved = found(module, "_library_ctx", 12), cut = found(module, "foo\0x", 5);
  printf("_library_ctx is%s a function, foo\\0x is%s\n", reserved ? "" : " not",
         cut ? ", too" : " not");
  return reserved || cut;
}

#endif
