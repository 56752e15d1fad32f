// SPDX-License-Identifier: Apache-2.0
// What a fuzz target calls, with flaws: the proof that the target would notice. flaws/<name>.c
// stands, with WRAP, between fuzz_<name>.c and what it calls; each flaw that it names, as in
// `flaw("row-falls")`, is one of its own, which check_flaws.py chooses by the environment.
#ifndef TVMFFI_FUZZ_FLAWS_FLAW_H_
#define TVMFFI_FUZZ_FLAWS_FLAW_H_

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mutants/wrap.h"

// Whether this is the flaw that is asked for.
static inline bool flaw(const char *name)
{
  const char *wanted = getenv("FUZZ_FLAW");
  return wanted != NULL && strcmp(wanted, name) == 0;
}

// A text that would steer a terminal, and is more than one line.
#define FLAW_TEXT "\033[2J\n"

#endif  // TVMFFI_FUZZ_FLAWS_FLAW_H_
