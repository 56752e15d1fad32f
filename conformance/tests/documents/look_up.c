// SPDX-License-Identifier: Apache-2.0
// Looking up a registered function and calling it: "Function, Exception and Module", section "C Registry APIs", and the state
// of "Compiler Integration", section "Recommended Approach for State Management", which is in C++ there. Prints
//
//   state: 7
//   no such function: 0, none
//
// Corrected: a TVMFFIByteArray (a const char * there); TVMFFIObjectHandle (TVMFFIObject * there); arguments that are not
// const; TVMFFIFunctionGetGlobal (TVMFFIGetGlobalFunction in the second document). Added: a name that is not registered gives
// 0 and NULL, which must not be called.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

int LookupAndCall(const TVMFFIByteArray *global_function_name, TVMFFIAny *args, int num_args,
                  TVMFFIAny *result)
{
  TVMFFIObjectHandle func = NULL;
  int err_code;
  if ((err_code = TVMFFIFunctionGetGlobal(global_function_name, &func)) != 0) goto RAII;
  if (func == NULL) goto RAII;
  if ((err_code = TVMFFIFunctionCall(func, args, num_args, result)) != 0) goto RAII;

RAII:
  if (func != NULL) TVMFFIObjectDecRef(func);
  return err_code;
}

// The state that kernels of one compiler share, and the function that hands its address out.
static int state = 7;

static int get_global_state(void *handle, const TVMFFIAny *args, int32_t num_args,
                            TVMFFIAny *result)
{
  result->type_index = kTVMFFIOpaquePtr;
  result->zero_padding = 0;
  result->v_uint64 = 0;
  result->v_ptr = &state;
  return 0;
}

int main(void)
{
  TVMFFIByteArray name = {"mylang.get_global_state", 23}, missing = {"mylang.no_such_function", 23};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  if (TVMFFIFunctionCreate(NULL, get_global_state, NULL, &function) != 0) return 1;
  if (TVMFFIFunctionSetGlobal(&name, function, 0) != 0) return 1;
  TVMFFIObjectDecRef(function);
  if (LookupAndCall(&name, NULL, 0, &result) != 0) return 1;
  printf("state: %d\n", *(int *)result.v_ptr);
  result = (TVMFFIAny){.type_index = kTVMFFINone};
  int code = LookupAndCall(&missing, NULL, 0, &result);
  printf("no such function: %d, %s\n", code, result.type_index == kTVMFFINone ? "none" : "a value");
  return 0;
}
