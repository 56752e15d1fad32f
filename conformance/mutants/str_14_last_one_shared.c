// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_14, "text that is equal to the text before gets the same object")

static _Thread_local TVMFFIAny last;

static int is_last(const TVMFFIByteArray *input)
{
  if (last.type_index != kTVMFFIStr) return 0;
  const TVMFFIByteArray *cell = (TVMFFIByteArray *)(last.v_obj + 1);
  return cell->size == input->size && memcmp(cell->data, input->data, input->size) == 0;
}

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (!is_last(input)) {
    int status = REFERENCE(StringFromByteArray)(input, out);
    if (status != 0 || out->type_index != kTVMFFIStr) return status;
    if (last.type_index == kTVMFFIStr) TVMFFIObjectDecRef(last.v_obj);
    last = *out;
  }
  TVMFFIObjectIncRef(last.v_obj);
  *out = last;
  return 0;
}
