// SPDX-License-Identifier: Apache-2.0
// Texts that end where their size says.
#ifndef TVMFFI_CONFORMANCE_MUTANTS_BYTE_TEXT_H_
#define TVMFFI_CONFORMANCE_MUTANTS_BYTE_TEXT_H_

#include <stdbool.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static inline bool text_is(const TVMFFIByteArray *text, const char *word)
{
  return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

static inline bool text_has(const TVMFFIByteArray *text, const char *word)
{
  return memmem(text->data, text->size, word, strlen(word)) != NULL;
}

#endif  // TVMFFI_CONFORMANCE_MUTANTS_BYTE_TEXT_H_
