// SPDX-License-Identifier: Apache-2.0
#include "mutants/counts.h"

MUTANT(LAY_7, "a string object lies four bytes behind a multiple of eight")

// The object is put together elsewhere and copied: nothing at such an address may be written as a
// struct.
static void delete_shifted(void *self, int flags)
{
  if (flags & 2) free((char *)self - 4);
}

OVERRIDE(StringFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  if (input->size <= 7) return REFERENCE(StringFromByteArray)(input, out);
  char *block = malloc(4 + 40 + input->size + 1);
  if (!block) return REFERENCE(StringFromByteArray)(input, out);
  char *data = block + 4 + 40;
  TVMFFIObject header = {.type_index = kTVMFFIStr};
  set_counts(&header, 1, 1);
  header.deleter = delete_shifted;
  TVMFFIByteArray cell = {data, input->size};
  memcpy(block + 4, &header, sizeof header);
  memcpy(block + 4 + 24, &cell, sizeof cell);
  memcpy(data, input->data, input->size);
  data[input->size] = '\0';
  void *handle = block + 4;
  memset(out, 0, sizeof *out);
  out->type_index = kTVMFFIStr;
  memcpy(&out->v_obj, &handle, sizeof handle);
  return 0;
}
