// SPDX-License-Identifier: Apache-2.0
// Reads a file of a stranger in a child that can do nothing else: a flaw in what reads it is then no
// more than a file that is not read.
#ifndef TVMFFI_CONFORMANCE_SANDBOX_READER_H_
#define TVMFFI_CONFORMANCE_SANDBOX_READER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sandbox/sandbox.h"

// What a child had to say. It is a stranger's, too.
typedef struct ReaderAnswer {
  char *bytes;  // own, with a NUL behind them; NULL if there are none
  size_t size;
  int signal;  // that ended the child; 0: none
} ReaderAnswer;

// Does the work in a child that can read these paths, and write to `out`. False if that can't be done:
// `answer` is empty then. The work is done as if the child were this process, where no means is in
// force.
bool reader_run(const SandboxPolicy *paths, void (*work)(void *context, FILE *out), void *context,
                ReaderAnswer *answer);

// A text in an answer, which may be NULL.
void reader_put_text(FILE *out, const char *text);

// What of an answer has not been taken yet: nothing of it is believed.
typedef struct ReaderRest {
  const char *at;
  size_t size;
  bool lacks;  // it was not all there, or memory is out
} ReaderRest;

void reader_take(ReaderRest *rest, void *out, size_t size);
// Own.
char *reader_take_text(ReaderRest *rest);

#endif  // TVMFFI_CONFORMANCE_SANDBOX_READER_H_
