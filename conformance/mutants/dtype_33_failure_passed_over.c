// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_33, "a custom type whose code is not known becomes a handle")

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
  if (!function) return status;
  TVMFFIObjectDecRef(function);
  TVMFFIErrorSetRaised(NULL);
  *out = (DLDataType){kDLOpaqueHandle, 64, 1};
  return 0;
}
