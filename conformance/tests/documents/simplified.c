// SPDX-License-Identifier: Apache-2.0
// Caller and callee of the "ABI Overview", section "Simplified Example", and, which is ours, a call of the same function as
// an object of the runtime. Prints
//
//   called directly: 7
//   called by the runtime: 7
//
// Corrected: kTVMFFIInt (kTVMFFInt there), NULL (nullptr there).
#include <stdio.h>

#include "my_func.c"

int CallTVMFFISafeCall(const char *param0, int param1)
{
  TVMFFIAny args[2], result;
  args[0].type_index = kTVMFFIRawStr;
  args[0].v_c_str = param0;
  args[1].type_index = kTVMFFIInt;
  args[1].v_int64 = param1;
  result.type_index = kTVMFFINone;
  // A function without a closure needs no handle.
  void *handle = NULL;
  int num_args = 2;
  MyFuncTVMFFISafeCall(handle, args, num_args, &result);
  return result.v_int64;
}

int main(void)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny args[2], result;
  printf("called directly: %d\n", CallTVMFFISafeCall("four", 3));
  if (TVMFFIFunctionCreate(NULL, MyFuncTVMFFISafeCall, NULL, &function) != 0) return 1;
  args[0].type_index = kTVMFFIRawStr;
  args[0].v_c_str = "four";
  args[1].type_index = kTVMFFIInt;
  args[1].v_int64 = 3;
  result.type_index = kTVMFFINone;
  if (TVMFFIFunctionCall(function, args, 2, &result) != 0) return 1;
  printf("called by the runtime: %d\n", (int)result.v_int64);
  return TVMFFIObjectDecRef(function);
}
