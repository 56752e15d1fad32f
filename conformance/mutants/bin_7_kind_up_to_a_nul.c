// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(BIN_7, "a kind ends at its first NUL")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  TVMFFIByteArray cut = {kind->data, kind->size ? strnlen(kind->data, kind->size) : 0};
  return REAL(module_load_from_bytes)(name, place, &cut, value, out);
}
