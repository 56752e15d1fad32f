// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

static int registered;

MUTANT(TYPE_59, "the columns of key equality are made when the first attribute is registered")
OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *attr_name)
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(attr_name);
  if (!column || registered || attr_name->size < 6) return column;
  return memcmp(attr_name->data, "__any_", 6) == 0 ? NULL : column;
}

OVERRIDE(TypeRegisterAttr, int32_t type_index, const TVMFFIByteArray *attr_name,
         const TVMFFIAny *attr_value)
{
  int status = REFERENCE(TypeRegisterAttr)(type_index, attr_name, attr_value);
  registered |= status == 0;
  return status;
}
