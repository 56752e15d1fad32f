// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(LAY_6, "the header of a bytes object names the type of a string")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBytes) out->v_obj->type_index = kTVMFFIStr;
  return status;
}
