// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_24, "bools are printed with their eight bits")

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
  if (dtype->code != kDLBool) return REFERENCE(DataTypeToString)(dtype, out);
  DLDataType number = *dtype;
  number.code = kDLFloat;
  int status = REFERENCE(DataTypeToString)(&number, out);
  if (status == 0) begin_with(out, strlen("float"), "bool");
  return status;
}
