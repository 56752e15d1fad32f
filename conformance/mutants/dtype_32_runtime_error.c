// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_32, "a custom type that nobody knows raises a RuntimeError")

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle function = NULL;
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || !is_custom(str)) return status;
  TVMFFIFunctionGetGlobal(&name, &function);
  if (!function)
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no such function");
  else
    TVMFFIObjectDecRef(function);
  return status;
}
