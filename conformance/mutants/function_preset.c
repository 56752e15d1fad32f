// SPDX-License-Identifier: Apache-2.0
// Mutants of the runtime as a caller of functions: what it leaves in the result.
#include "mutants/wrapped.h"

MUTANT_WRAP(FUN_46, loader_finds_a_number, TVMFFIFunctionCall,
            "the result holds a number when a loader is called")
{
  if (num_args == 1 && (args->type_index == kTVMFFISmallBytes || args->type_index == kTVMFFIBytes))
    *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 7};
  return REAL(TVMFFIFunctionCall)(func, args, num_args, result);
}

MUTANT_WRAP(FUN_46, padding_for_data_types, TVMFFIFunctionCall,
            "the padding of the result is not cleared when a function for data types is called")
{
  if (num_args == 1 && (args->type_index == kTVMFFIRawStr || args->type_index == kTVMFFIInt))
    result->zero_padding = 0xA5A5A5A5;
  return REAL(TVMFFIFunctionCall)(func, args, num_args, result);
}

MUTANT_WRAP(FUN_46, payload_for_keys, TVMFFIFunctionCall,
            "the payload of the result is not cleared when a function of a key is called")
{
  if (num_args > 0 && args->type_index >= kTVMFFIStaticObjectBegin)
    result->v_uint64 = UINT64_C(0xA5A5A5A5A5A5A5A5);
  return REAL(TVMFFIFunctionCall)(func, args, num_args, result);
}

MUTANT_WRAP(FUN_46, default_finds_a_bool, TVMFFIFunctionCall,
            "the result holds a bool when a function that makes a default is called")
{
  if (num_args == 0) result->type_index = kTVMFFIBool;
  return REAL(TVMFFIFunctionCall)(func, args, num_args, result);
}

MUTANT_WRAP(FUN_46, setter_finds_its_value, TVMFFIFunctionCall,
            "the result holds the value when a function that sets a field is called")
{
  if (num_args == 2 && args->type_index == kTVMFFIOpaquePtr &&
      args[1].type_index < kTVMFFIStaticObjectBegin)
    *result = args[1];
  return REAL(TVMFFIFunctionCall)(func, args, num_args, result);
}
