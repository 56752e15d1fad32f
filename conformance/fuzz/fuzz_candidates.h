// SPDX-License-Identifier: Apache-2.0
// What slots showed, until it is examined: it is a finding, an example of one, or a doubt.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_CANDIDATES_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_CANDIDATES_H_

#include "fuzz/fuzz_campaign_state.h"

// Examines what waits, on a slot that does nothing else. More may come from the others meanwhile.
void fuzz_candidates_examine(FuzzCampaign *campaign, unsigned slot);

// Takes up what the worker of a slot left in its arena.
void fuzz_candidates_take_found(FuzzCampaign *campaign, unsigned slot);

// The same of a process that went down, or did not come back, with the input in the arena.
void fuzz_candidates_take_end(FuzzCampaign *campaign, unsigned slot);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_CANDIDATES_H_
