// SPDX-License-Identifier: Apache-2.0
// What may help against a refusal, as its words and the call suggest.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_IDEAS_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_IDEAS_H_

#include "plan/signature_heard.h"

// Writes the moves of a frame, whose call and message are set, the likeliest first.
void signature_ideas(const Search *search, Frame *frame);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_IDEAS_H_
