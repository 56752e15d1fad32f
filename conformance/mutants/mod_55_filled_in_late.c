// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_55, "context symbols are filled in when the embedded modules are there")
static const void *waiting;

WRAP(void, module_context_fill_symbols, const void *library)
{
  waiting = library;
}

REGISTERED("ffi.Module.load_from_file.so")
{
  int status = ORIGINAL(args, num_args, result);
  const void *library = waiting;
  waiting = NULL;
  if (status == 0 && library) REAL(module_context_fill_symbols)(library);
  return status;
}
