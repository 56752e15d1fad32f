// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_12, "metadata are made ASCII")
REGISTERED("ffi.GetGlobalFuncMetadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIStr) return status;
  TVMFFIByteArray *text = (TVMFFIByteArray *)(result->v_obj + 1);
  char *ascii = malloc(text->size + 1);
  if (!ascii) return 0;
  for (size_t i = 0; i < text->size; ++i) ascii[i] = text->data[i] < 0 ? '?' : text->data[i];
  TVMFFIByteArray changed = {ascii, text->size};
  TVMFFIObjectDecRef(result->v_obj);
  status = TVMFFIStringFromByteArray(&changed, result);
  free(ascii);
  return status;
}
