// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_45, "generated code finds what the last import has")
OVERRIDE(EnvModLookupFromImports, TVMFFIObjectHandle context, const char *name,
         TVMFFIObjectHandle *out)
{
  TVMFFIAny text = {.type_index = kTVMFFIRawStr, .v_c_str = name};
  const TVMFFISeqCell *imports = context && name ? imports_in(module_of_context(context)) : NULL;
  for (int64_t i = imports ? imports->size : 0; i-- > 0;) {
    void *function = function_in(import_in(imports, i), text, 1);
    if (!function) continue;
    *out = function;
    return 0;
  }
  return REFERENCE(EnvModLookupFromImports)(context, name, out);
}
