// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_13, "bytes behind the length of small bytes are left as they were in the result")
OVERRIDE(BytesFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  char before[8];
  memcpy(before, out->v_bytes, sizeof before);
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFISmallBytes)
    memcpy(out->v_bytes + input->size, before + input->size, sizeof before - input->size);
  return status;
}
