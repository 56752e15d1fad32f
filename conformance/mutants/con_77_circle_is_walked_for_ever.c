// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_77, "the hash of a list that holds itself is never found")
REGISTERED("ffi.RecursiveHash")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  const volatile TVMFFISeqCell *list = sequence(&args[0]);
  for (int64_t i = 0; i < list->size; ++i)
    while (elements(&args[0])[i].v_obj == args[0].v_obj) TVMFFIGetVersion(&(TVMFFIVersion){0});
  return 0;
}
