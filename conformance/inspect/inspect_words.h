// SPDX-License-Identifier: Apache-2.0
// Words that a library holds in its constant data: it may compare texts with them that it is given.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_WORDS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_WORDS_H_

#include <stddef.h>

enum { INSPECT_WORDS_MAX = 64, INSPECT_WORD_MAX = 32 };

typedef struct InspectWordList {
  char items[INSPECT_WORDS_MAX][INSPECT_WORD_MAX];  // each once
  size_t count;
} InspectWordList;

typedef struct InspectWords {
  InspectWordList literals;
  InspectWordList
      subjects;  // words that longer literals begin with: "block" of "block is too large"
} InspectWords;

// Fills `words` from the sections of constant data of the ELF file at `path` with what looks like the
// name of a mode or a key: small letters, digits, '_' and '-', a letter first; or capital ones. The first
// ones, where there are more. None of a file that can't be read.
void inspect_words_read(const char *path, InspectWords *words);

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_WORDS_H_
