// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MOD_80, "modules that were made for a load that failed are not released")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  static TVMFFIObjectHandle last;
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0 && last) TVMFFIObjectIncRef(last);
  last = status == 0 ? *out : NULL;
  return status;
}
