// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "mutants/mutant.h"

MUTANT(STR_16, "all threads gather text in the same buffer")

static char buffer[4096];

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (!input->data || input->size > sizeof buffer)
    return REFERENCE(StringFromByteArray)(input, out);
  memcpy(buffer, input->data, input->size);
  sched_yield();
  TVMFFIByteArray gathered = {buffer, input->size};
  return REFERENCE(StringFromByteArray)(&gathered, out);
}
