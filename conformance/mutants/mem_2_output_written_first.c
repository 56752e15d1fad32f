// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(MEM_2, "a string is handed out before its second piece of memory is there")
OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIStr) return status;
  void *piece = malloc(input->size);
  free(piece);
  if (piece) return 0;
  TVMFFIObjectDecRef(out->v_obj);
  TVMFFIErrorSetRaisedFromCStr("InternalError", "out of memory");
  return -1;
}
