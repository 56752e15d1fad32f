// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_30, "a custom type needs a name")

static bool is_custom(const TVMFFIByteArray *text)
{
  return text->size > 7 && memcmp(text->data, "custom[", 7) == 0;
}

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  if (is_custom(str) && str->data[7] == ']') return refuse("no name");
  return REFERENCE(DataTypeFromString)(str, out);
}
