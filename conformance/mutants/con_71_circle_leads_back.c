// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_71, "the copy of a list that holds itself holds the list")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *element = &elements(result)[i];
    if (!is_object(element) || element->v_obj != result->v_obj) continue;
    TVMFFIObjectIncRef(args[0].v_obj);
    TVMFFIObjectDecRef(element->v_obj);
    *element = args[0];
  }
  return 0;
}
