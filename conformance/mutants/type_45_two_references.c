// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_45, "an object as attribute gains two references")
OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && attr_value->type_index >= kTVMFFIStaticObjectBegin)
    TVMFFIObjectIncRef(attr_value->v_obj);
  return status;
}
