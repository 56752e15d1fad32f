// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(REG_17, "the type keys are listed from the last to the first")
REGISTERED("ffi.GetRegisteredTypeKeys")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny *keys = elements(result);
  for (int64_t i = 0, j = sequence(result)->size - 1; i < j; ++i, --j) {
    TVMFFIAny kept = keys[i];
    keys[i] = keys[j];
    keys[j] = kept;
  }
  return 0;
}
