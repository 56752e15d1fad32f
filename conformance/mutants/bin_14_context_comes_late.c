// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(BIN_14, "the context is set when all embedded modules are there")
static void *waiting;

WRAP(void, module_context_set, void *library)
{
  waiting = library;
}

REGISTERED("ffi.Module.load_from_file.so")
{
  waiting = NULL;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && waiting) REAL(module_context_set)(waiting);
  waiting = NULL;
  return status;
}
