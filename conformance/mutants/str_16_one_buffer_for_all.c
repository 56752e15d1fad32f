// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "mutants/mutant.h"

MUTANT(STR_16, "all threads gather text in the same buffer")

static char buffer[4096];

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  static _Thread_local unsigned calls;
  if (!input->data || input->size > sizeof buffer)
    return REFERENCE(StringFromByteArray)(input, out);
  memcpy(buffer, input->data, input->size);
  if (++calls % 7 == 0) usleep(20);
  TVMFFIByteArray gathered = {buffer, input->size};
  return REFERENCE(StringFromByteArray)(&gathered, out);
}
