// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_45, "a raw C string as attribute is kept as it is")
OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && attr_value->type_index == kTVMFFIRawStr)
    ((TVMFFIAny *)TVMFFIGetTypeAttrColumn(attr_name)->data)[type_index] = *attr_value;
  return status;
}
