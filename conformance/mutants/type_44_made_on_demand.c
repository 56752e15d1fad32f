// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(TYPE_44, "a column that is looked up is made")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  TVMFFIAny none = {.type_index = kTVMFFINone};
  if (!REFERENCE(GetTypeAttrColumn)(attr_name))
    TVMFFITypeRegisterAttr(kTVMFFINone, attr_name, &none);
  return REFERENCE(GetTypeAttrColumn)(attr_name);
}
