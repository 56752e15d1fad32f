// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_10, "a file that is no library is a RuntimeError")
REGISTERED("ffi.Module.load_from_file.so")
{
  void *handle = num_args == 2 ? dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (num_args == 2 && !handle) return fail("RuntimeError", "the file can not be opened");
  int status = ORIGINAL(args, num_args, result);
  if (handle) dlclose(handle);
  return status;
}
