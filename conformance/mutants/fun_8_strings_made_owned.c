// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_8, "raw strings and byte arrays among the arguments become owned values on their way")

enum { MOST = 64 };

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  TVMFFIAny copy[MOST];
  if (num_args > MOST || num_args <= 0)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    copy[i] = args[i];
    if (args[i].type_index == kTVMFFIRawStr || args[i].type_index == kTVMFFIByteArrayPtr)
      TVMFFIAnyViewToOwnedAny(&args[i], &copy[i]);
  }
  int status = REFERENCE(FunctionCall)(func, copy, num_args, result);
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index == kTVMFFIRawStr && copy[i].type_index >= kTVMFFIStaticObjectBegin)
      TVMFFIObjectDecRef(copy[i].v_obj);
  return status;
}
