// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(STR_15, "the data of strings below 64 bytes lie in a ring of eight buffers")

enum { BUFFERS = 8, BUFFER_SIZE = 64 };
static _Thread_local char ring[BUFFERS][BUFFER_SIZE];
static _Thread_local unsigned next;

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr && input->size < BUFFER_SIZE) {
    TVMFFIByteArray *cell = (TVMFFIByteArray *)(out->v_obj + 1);
    char *buffer = ring[next++ % BUFFERS];
    memcpy(buffer, cell->data, cell->size + 1);
    cell->data = buffer;
  }
  return status;
}
