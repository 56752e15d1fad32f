// SPDX-License-Identifier: Apache-2.0
// A function of a statically linked library, found by name. Compilers that link their kernels into
// the program register each symbol; the program asks the system library with the prefix. Prints
//
//   my_prefix.add_one(10) -> 11
//   calls counted by the closure: 1
//
// Build: cc functions.c $(pkg-config --cflags --libs tvm_ffi) -o functions
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

static int add_one(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add_one takes one integer");
    return -1;
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = args[0].v_int64 + 1};
  return 0;
}

// A function with something of its own: `self` is what TVMFFIFunctionCreate was given.
static int count(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args;
  (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = ++*(int *)self};
  return 0;
}

static int call_global(const char *name, TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIByteArray key = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&key, &function) != 0 || !function) return -1;
  int code = TVMFFIFunctionCall(function, args, num_args, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static int call_from_system_library(void)
{
  if (TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_my_prefix.add_one", (void *)add_one) != 0)
    return -1;
  TVMFFIAny prefix = {.type_index = kTVMFFIRawStr, .v_c_str = "my_prefix."};
  TVMFFIAny module = {.type_index = kTVMFFINone}, function = {.type_index = kTVMFFINone};
  if (call_global("ffi.SystemLib", &prefix, 1, &module) != 0) return -1;
  TVMFFIAny get[3] = {module,
                      {.type_index = kTVMFFIRawStr, .v_c_str = "add_one"},
                      {.type_index = kTVMFFIBool, .v_int64 = 0}};
  int code = call_global("ffi.ModuleGetFunction", get, 3, &function);
  TVMFFIAny ten = {.type_index = kTVMFFIInt, .v_int64 = 10};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (code == 0 && function.type_index == kTVMFFIFunction) {
    code = TVMFFIFunctionCall(function.v_obj, &ten, 1, &result);
    if (code == 0) printf("my_prefix.add_one(10) -> %lld\n", (long long)result.v_int64);
    TVMFFIObjectDecRef(function.v_obj);
  } else {
    code = -1;
  }
  TVMFFIObjectDecRef(module.v_obj);
  return code;
}

static int call_closure(void)
{
  int calls = 0;
  TVMFFIByteArray name = {"my_library.count", 16};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(&calls, count, NULL, &function) != 0) return -1;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  int code = TVMFFIFunctionSetGlobal(&name, function, 0);
  if (code == 0) code = call_global("my_library.count", NULL, 0, &result);
  if (code == 0) printf("calls counted by the closure: %lld\n", (long long)result.v_int64);
  TVMFFIObjectDecRef(function);
  return code;
}

int main(void)
{
  int code = call_from_system_library();
  if (code == 0) code = call_closure();
  if (code != 0) fprintf(stderr, "functions: a call failed\n");
  return code != 0;
}
