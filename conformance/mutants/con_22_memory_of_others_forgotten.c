// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_22, "memory of others is left behind when a list grows")

static void (*own_deleter)(void *);

static void forget(void *data)
{
  (void)data;
}

REGISTERED("ffi.List")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) own_deleter = sequence(result)->data_deleter;
  return status;
}

REGISTERED("ffi.ListAppend")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIList) return ORIGINAL(args, num_args, result);
  TVMFFISeqCell *cell = sequence(&args[0]);
  if (cell->size == cell->capacity && cell->data_deleter != own_deleter)
    cell->data_deleter = forget;
  return ORIGINAL(args, num_args, result);
}
