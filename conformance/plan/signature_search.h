// SPDX-License-Identifier: Apache-2.0
// Looks for a call that a function serves, knowing the kinds of its parameters: data types, ranks,
// extents and values are tried, in the order that the words of its refusals suggest. What is found
// is an example, not a promise: that other calls are served or refused does not follow from it.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SEARCH_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SEARCH_H_

#include "inspect/inspect_words.h"
#include "plan/signature_probe.h"

// For a kernel of which kinds are known and no example; `known` (or NULL) says what is in its
// containers, and `words` (or NULL) are tried as texts and as keys. Where a call is served, `found` is set, and the parameters and elements are those of
// that call, with what signature_vary finds of them. Makes at most `most` calls.
void signature_search(Kernel *kernel, const Signature *known, const InspectWords *words,
                      unsigned most, ProbeCall *make, void *context);

// For a kernel that this has found a call of: the same with another alternative of the variant at
// `position`.
bool signature_search_way(Kernel *kernel, const Signature *known, const InspectWords *words,
                          uint32_t position, uint32_t alternative, unsigned most, ProbeCall *make,
                          void *context);

// The same with another text at `position`.
bool signature_search_text_way(Kernel *kernel, const Signature *known, const InspectWords *words,
                               uint32_t position, const char *text, unsigned most, ProbeCall *make,
                               void *context);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_SEARCH_H_
