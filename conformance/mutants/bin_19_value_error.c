// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_19, "a loader that gives no module is a ValueError")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status == 0 || !is_raised("TypeError")) return status;
  return fail("ValueError", "the loader gave no module");
}
