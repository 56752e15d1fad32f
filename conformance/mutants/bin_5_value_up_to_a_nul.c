// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(BIN_5, "a value ends at its first NUL")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  TVMFFIByteArray cut = {value->data, value->size ? strnlen(value->data, value->size) : 0};
  return REAL(module_load_from_bytes)(name, place, kind, &cut, out);
}
