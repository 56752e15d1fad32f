// SPDX-License-Identifier: Apache-2.0
// Pretended functions, for tests of the search for a call that is served.
#ifndef TVMFFI_CONFORMANCE_TESTS_PLAN_PRETENDED_H_
#define TVMFFI_CONFORMANCE_TESTS_PLAN_PRETENDED_H_

#include "plan/signature_search.h"

// Why it refuses the call, or NULL; SIGNATURE_PROBE_IDLE: it serves the call, and does nothing.
typedef const char *Pretended(const Kernel *call);

enum { PRETENDED_MOST = 600 };  // calls that the search makes at most

// What a call that is served comes to (ProbeAnswer.outcome); 0: that can't be looked at.
typedef uint64_t PretendedOutcome(const Kernel *call);

typedef struct Asked {
  Pretended *function;
  unsigned calls;
  PretendedOutcome *outcome;  // or NULL
} Asked;

// A ProbeCall; the context is an Asked.
bool pretended_call(void *context, const Kernel *call, ProbeAnswer *answer);

typedef struct PretendedSearch {
  Signature *known;  // to be freed
  Kernel kernel;
  Asked asked;
} PretendedSearch;

// Searches a function with parameters of these types, in at most so many calls; `words` may be NULL.
void pretended_search(PretendedSearch *found, const char *types, Pretended *function, unsigned most,
                      const InspectWords *words);

// The same of a function that serves each call, with what comes of it.
void pretended_search_outcome(PretendedSearch *found, const char *types, PretendedOutcome *outcome);

bool pretended_is_float(const KernelParameter *tensor, unsigned bits);

#endif  // TVMFFI_CONFORMANCE_TESTS_PLAN_PRETENDED_H_
