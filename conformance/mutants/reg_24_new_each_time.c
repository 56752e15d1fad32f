// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_24, "each caller gets a missing value of its own")
REGISTERED("ffi.GetInvalidObject")
{
  TVMFFIObject *object = calloc(1, sizeof *object);
  if (!object) return fail("InternalError", "out of memory");
  object->combined_ref_count = (UINT64_C(1) << 32) + 1;
  object->type_index = kTVMFFIObject;
  *result = (TVMFFIAny){.type_index = kTVMFFIObject, .v_obj = object};
  return 0;
}
