// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_69, "the last element of a long array is not copied")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIArray || sequence(result)->size < 10)
    return status;
  TVMFFIAny *last = &elements(result)[--sequence(result)->size];
  if (is_object(last)) TVMFFIObjectDecRef(last->v_obj);
  return 0;
}
