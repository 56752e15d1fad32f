// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_57, "a context symbol keeps its first address")
OVERRIDE(EnvModRegisterContextSymbol, const char *name, void *symbol)
{
  static char known[8][64];
  for (int i = 0; i < 8; ++i) {
    if (strcmp(known[i], name) == 0) return 0;
    if (known[i][0] || strlen(name) >= sizeof known[i]) continue;
    strcpy(known[i], name);
    break;
  }
  return REFERENCE(EnvModRegisterContextSymbol)(name, symbol);
}
