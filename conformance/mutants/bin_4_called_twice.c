// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(BIN_4, "the loader of a kind is called twice")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0) return status;
  TVMFFIObjectDecRef(*out);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}
