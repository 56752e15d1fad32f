// SPDX-License-Identifier: Apache-2.0
// A function linked into the program, as a module: "Function, Exception and Module", section "System Library". What is in C++
// and Python there is in C here: a constructor for the static initialization, ffi.SystemLib for tvm_ffi.system_lib. Prints
//
//   11
//
#include <stdio.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

static int add_one_impl(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  if (args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "x has to be an int");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + 1;
  return 0;
}

__attribute__((constructor)) static void register_add_one(void)
{
  TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_my_prefix.add_one", (void *)add_one_impl);
}

static int call(const char *name, size_t size, TVMFFIAny *args, int32_t count, TVMFFIAny *result)
{
  TVMFFIByteArray text = {name, size};
  TVMFFIObjectHandle function = NULL;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) return 1;
  int code = TVMFFIFunctionCall(function, args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

int main(void)
{
  TVMFFIAny args[3] = {{.type_index = kTVMFFIRawStr, .v_c_str = "my_prefix."}}, mod, func, result;
  if (call("ffi.SystemLib", 13, args, 1, &mod) != 0) return 1;
  args[0] = mod;
  args[1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "add_one"};
  args[2] = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 0};
  if (call("ffi.ModuleGetFunction", 21, args, 3, &func) != 0) return 1;
  args[0] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 10};
  result = (TVMFFIAny){.type_index = kTVMFFINone};
  if (TVMFFIFunctionCall(func.v_ptr, args, 1, &result) != 0) return 1;
  printf("%d\n", (int)result.v_int64);
  TVMFFIObjectDecRef(func.v_ptr);
  return TVMFFIObjectDecRef(mod.v_ptr);
}
