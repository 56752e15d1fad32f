// SPDX-License-Identifier: Apache-2.0
#include "mutants/loading.h"

MUTANT(MOD_17, "the kind of a library is so")
REGISTERED("ffi.ModuleGetKind")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0) memcpy(result->v_bytes, "so\0\0\0\0\0", 7), result->small_str_len = 2;
  return status;
}
