// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_39, "an object that a setter returns is forgotten")

static int call_setter(void *setter, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  int status = registered_call(setter, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return status;
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
