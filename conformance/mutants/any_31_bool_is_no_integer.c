// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_31, "a bool is refused as an index")

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
  if (!func || func != get_item || num_args != 2 || args[1].type_index != kTVMFFIBool)
    return REFERENCE(FunctionCall)(func, args, num_args, result);
  return TVMFFIErrorSetRaisedFromCStr("TypeError", "an index must be an int"), -1;
}
