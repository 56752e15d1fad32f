// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_61, "symbols without the prefix are not looked for")
WRAP(void *, system_lib_symbol, const char *name, size_t size)
{
  static char missed[256];
  if (size > 10 && size < strlen(missed) &&
      strcmp(missed + strlen(missed) - (size - 10), name + 10) == 0)
    return NULL;
  void *address = REAL(system_lib_symbol)(name, size);
  missed[0] = '\0';
  if (!address && size < sizeof missed) memcpy(missed, name, size + 1);
  return address;
}
