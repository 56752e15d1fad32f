// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_69, "the copy of a list holds the containers that the list holds")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *copy = &elements(result)[i], *element = &elements(&args[0])[i];
    if (!is_object(copy) || copy->v_obj == result->v_obj) continue;
    TVMFFIObjectIncRef(element->v_obj);
    TVMFFIObjectDecRef(copy->v_obj);
    *copy = *element;
  }
  return 0;
}
