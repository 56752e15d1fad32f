// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_48, "None takes the place of an attribute")

static int32_t nones[256];

OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  int32_t *none = &nones[type_index % 256];
  if (type_index > 0 && *none == type_index) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the attribute exists");
    return -1;
  }
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  if (status == 0 && type_index > 0 && attr_value->type_index == kTVMFFINone) *none = type_index;
  return status;
}
