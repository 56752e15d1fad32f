// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(CON_36, "a map of integers is walked through by the size of its keys")

static int compare(const void *left, const void *right)
{
  int64_t a = ((const TVMFFIAny *)left)->v_int64, b = ((const TVMFFIAny *)right)->v_int64;
  return a < b ? -1 : a > b;
}

REGISTERED("ffi.Map")
{
  static TVMFFIAny sorted[8192];
  if (num_args % 2 != 0 || num_args > 8192) return ORIGINAL(args, num_args, result);
  for (int32_t i = 0; i < num_args; i += 2)
    if (args[i].type_index != kTVMFFIInt) return ORIGINAL(args, num_args, result);
  memcpy(sorted, args, (size_t)num_args * sizeof *sorted);
  qsort(sorted, (size_t)num_args / 2, 2 * sizeof *sorted, compare);
  return ORIGINAL(sorted, num_args, result);
}
