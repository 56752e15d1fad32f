// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_21, "32 bits are not printed")

// The text that was printed, to be changed in place.
static TVMFFIByteArray *printed(const TVMFFIAny *out)
{
  return (TVMFFIByteArray *)((TVMFFIObject *)out->v_obj + 1);
}

// Puts `word` in place of the first `size` bytes, of which it has no more.
static void begin_with(const TVMFFIAny *out, size_t size, const char *word)
{
  TVMFFIByteArray *text = printed(out);
  char *bytes = (char *)text->data;
  size_t length = strlen(word);
  memcpy(bytes, word, length);
  memmove(bytes + length, bytes + size, text->size - size + 1);
  text->size -= size - length;
}

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  int status = REFERENCE(DataTypeToString)(dtype, out);
  if (status != 0 || dtype->bits != 32 || dtype->lanes != 1) return status;
  if (dtype->code <= kDLFloat) begin_with(out, 0, "");
  if (dtype->code <= kDLFloat) printed(out)->size -= 2;
  return status;
}
