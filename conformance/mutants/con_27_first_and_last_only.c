// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_27, "reversing a list swaps its first and its last element")
REGISTERED("ffi.ListReverse")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  int64_t size = sequence(&args[0])->size;
  for (int64_t i = 1; i < size - 1 - i; ++i) {
    TVMFFIAny *left = &elements(&args[0])[i], *right = &elements(&args[0])[size - 1 - i];
    TVMFFIAny kept = *left;
    *left = *right;
    *right = kept;
  }
  return 0;
}
