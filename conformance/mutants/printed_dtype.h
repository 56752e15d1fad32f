// SPDX-License-Identifier: Apache-2.0
// Mutants of how data types are printed: they change the text that was.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_PRINTED_DTYPE_H_
#define TVMFFI_CONFORMANCE_MUTANTS_PRINTED_DTYPE_H_

#include "mutants/mutant.h"

// The text that was printed, to be changed in place.
static inline TVMFFIByteArray *printed(const TVMFFIAny *out)
{
  return (TVMFFIByteArray *)((TVMFFIObject *)out->v_obj + 1);
}

// Puts `word` in place of the first `size` bytes, of which it has no more.
static inline void begin_with(const TVMFFIAny *out, size_t size, const char *word)
{
  TVMFFIByteArray *text = printed(out);
  char *bytes = (char *)text->data;
  size_t length = strlen(word);
  memcpy(bytes, word, length);
  memmove(bytes + length, bytes + size, text->size - size + 1);
  text->size -= size - length;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_PRINTED_DTYPE_H_
