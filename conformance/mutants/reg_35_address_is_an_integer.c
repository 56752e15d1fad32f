// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_35, "a setter that is a function gets the address as an integer")

static int call_setter(void *setter, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  TVMFFIAny other[2] = {args[0], args[1]};
  if (num_args == 2) other[0].type_index = kTVMFFIInt;
  return registered_call(setter, num_args == 2 ? other : args, num_args, result);
}

OVERRIDE(TypeRegisterField, int32_t type_index, const TVMFFIFieldInfo *info)
{
  TVMFFIFieldInfo other = *info;
  TVMFFIObjectHandle wrapper = NULL;
  if (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    TVMFFIObjectIncRef(info->setter);
    if (TVMFFIFunctionCreate(info->setter, call_setter, NULL, &wrapper) != 0) return -1;
    other.setter = wrapper;
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
