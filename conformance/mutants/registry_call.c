// SPDX-License-Identifier: Apache-2.0
// Mutants of calls of registered functions.
#include "mutants/registered.h"

MUTANT_REGISTERED(REG_26, padding_kept, "ffi.ArraySize",
                  "the padding of a size is left as it was in the result")
{
  uint32_t padding = result->zero_padding;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->zero_padding = padding;
  return status;
}

MUTANT_REGISTERED(REG_26, payload_of_none_kept, "ffi.MapGetItem",
                  "of a None that is read from a map only the type index is written")
{
  TVMFFIAny before = *result;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->v_uint64 = before.v_uint64;
  return status;
}

MUTANT_REGISTERED(REG_27, none_on_failure, "ffi.MapGetItem", "a call that fails gives None")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) memset(result, 0, sizeof *result);
  return status;
}

MUTANT_REGISTERED(REG_27, written_first, "ffi.GetGlobalFuncMetadata",
                  "the result is written before the name is found to be unknown")
{
  *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_28, keys_are_raw, "ffi.MakeObjectFromPackedArgs",
                  "a type key must be a C string")
{
  if (num_args > 0 && args[0].type_index == kTVMFFIStr)
    return fail("TypeError", "a C string is expected");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_28, no_small_strings, "ffi.FunctionRemoveGlobal",
                  "a small string is not a name")
{
  if (num_args == 1 && args[0].type_index == kTVMFFISmallStr)
    return fail("TypeError", "a string object is expected");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_29, bytes_are_names, "ffi.GetGlobalFuncMetadata",
                  "small bytes are taken for a name")
{
  if (num_args != 1 || args[0].type_index != kTVMFFISmallBytes)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny name = args[0];
  name.type_index = kTVMFFISmallStr;
  return ORIGINAL(&name, 1, result);
}

MUTANT_REGISTERED(REG_29, second_ignored, "ffi.FunctionRemoveGlobal",
                  "a second argument is ignored")
{
  return ORIGINAL(args, num_args > 1 ? 1 : num_args, result);
}
