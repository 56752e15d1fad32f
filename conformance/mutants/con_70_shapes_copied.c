// SPDX-License-Identifier: Apache-2.0
#include "mutants/container_body.h"

MUTANT(CON_70, "shapes in a list are copied")
REGISTERED("ffi.DeepCopy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || args[0].type_index != kTVMFFIList) return status;
  for (int64_t i = 0; i < sequence(result)->size; ++i) {
    TVMFFIAny *shape = &elements(result)[i], extents[8], made = {.type_index = kTVMFFINone};
    if (shape->type_index != kTVMFFIShape) continue;
    const TVMFFIShapeCell *cell = (const TVMFFIShapeCell *)(shape->v_obj + 1);
    if (cell->size > 8) continue;
    for (size_t j = 0; j < cell->size; ++j)
      extents[j] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = cell->data[j]};
    if (registered_call_by_name("ffi.Shape", extents, (int32_t)cell->size, &made) != 0) return -1;
    TVMFFIObjectDecRef(shape->v_obj);
    *shape = made;
  }
  return 0;
}
