// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_6, "the extension is what stands behind the first point of the path")
REGISTERED("ffi.ModuleLoadFromFile")
{
  const char *path = num_args == 1 ? c_text_in(args) : "", *point = strchr(path, '.');
  if (!point || !strchr(point + 1, '.') || strchr(path, '/'))
    return ORIGINAL(args, num_args, result);
  return fail("RuntimeError", "no loader for this extension");
}
