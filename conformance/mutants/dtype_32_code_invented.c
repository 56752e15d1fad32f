// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_32, "a custom type has the code 129 as long as nobody is there to ask")

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL;
  if (!is_custom(str) || TVMFFIFunctionGetGlobal(&name, &function) != 0 || function) {
    if (function) TVMFFIObjectDecRef(function);
    return REFERENCE(DataTypeFromString)(str, out);
  }
  *out = (DLDataType){129, 32, 1};
  return 0;
}
