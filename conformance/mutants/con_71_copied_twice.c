// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_71, "what an array holds in two places is copied for each of them")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIArray) return status;
  for (int64_t i = 1; i < sequence(result)->size; ++i) {
    TVMFFIAny *element = &elements(result)[i], made = {.type_index = kTVMFFINone};
    if (element->type_index != kTVMFFIList || element->v_obj != elements(result)[i - 1].v_obj)
      continue;
    if (ORIGINAL(&elements(&args[0])[i], 1, &made) != 0) return -1;
    TVMFFIObjectDecRef(element->v_obj);
    *element = made;
  }
  return 0;
}
