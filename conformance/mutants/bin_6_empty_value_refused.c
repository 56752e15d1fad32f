// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(BIN_6, "an empty value is refused")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  if (value->size == 0) return fail("InternalError", "the value can not be read");
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}
