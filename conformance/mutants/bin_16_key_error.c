// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_16, "a kind without a loader is a KeyError")
WRAP(int, module_load_from_bytes, const char *name, size_t place, const TVMFFIByteArray *kind,
     const TVMFFIByteArray *value, TVMFFIObjectHandle *out)
{
  TVMFFIObjectHandle loader = NULL;
  char text[1024] = "ffi.Module.load_from_bytes.";
  size_t size = strlen(text);
  if (kind->size < sizeof text - size) memcpy(text + size, kind->data, kind->size);
  TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){text, size + kind->size}, &loader);
  if (!loader) return fail("KeyError", "there is no such loader");
  TVMFFIObjectDecRef(loader);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}
