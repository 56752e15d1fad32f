// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_12, "metadata end at the first NUL")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIStr) return status;
  TVMFFIByteArray *text = (TVMFFIByteArray *)(result->v_obj + 1);
  text->size = strnlen(text->data, text->size);
  return 0;
}
