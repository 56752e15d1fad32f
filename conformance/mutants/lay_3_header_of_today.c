// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_3, "strings begin with one combined counter, as in 0.1")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIStr) return status;
  memcpy(out->v_obj, &(uint64_t){UINT64_C(0x100000001)}, 8);
  memcpy((char *)out->v_obj + 8, &(uint64_t){kTVMFFIStr}, 8);
  return 0;
}
