// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_54, "a context symbol is filled in by the first load only")
WRAP(void, module_context_fill_symbols, const void *library)
{
  static int filled;
  if (!filled++) REAL(module_context_fill_symbols)(library);
}
