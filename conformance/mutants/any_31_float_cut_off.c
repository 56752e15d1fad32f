// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_31, "a float is taken as an index, without its fraction")

static TVMFFIObjectHandle get_item;

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status == 0 && name->size == 16 && memcmp(name->data, "ffi.ArrayGetItem", 16) == 0)
    get_item = *out;
  return status;
}

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  if (!func || func != get_item || num_args != 2 || args[1].type_index != kTVMFFIFloat)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  TVMFFIAny whole[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = (int64_t)args[1].v_float64}};
  return REFERENCE(FunctionCall)(func, whole, 2, result);
}
