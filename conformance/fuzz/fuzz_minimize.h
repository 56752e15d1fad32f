// SPDX-License-Identifier: Apache-2.0
// Has a finding come again, and makes its input, and those before it, as few as can be.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_MINIMIZE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_MINIMIZE_H_

#include "fuzz/fuzz_campaign_state.h"

typedef enum FuzzCame {
  FUZZ_CAME_NOT,
  FUZZ_CAME_ALONE,
  FUZZ_CAME_BEHIND_OTHERS,
  FUZZ_CAME_BEHIND_KNOWN,  // only behind inputs that say nothing of it, or are findings themselves
} FuzzCame;

// Runs the finding on a slot that does nothing else: alone, else behind what ran in its process
// before. The finding then says what was seen.
FuzzCame fuzz_minimize_come(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding);

// Drops the inputs before it.
void fuzz_minimize_forget(FuzzFinding *finding);

// Has the finding become what the surface's neighbour of its input shows alone, if that says more of
// it. False if it does not.
bool fuzz_minimize_ask_neighbour(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding);

// Whether the surface's plain form of its input does not show the finding, and there is one.
bool fuzz_minimize_is_not_plain(FuzzCampaign *campaign, unsigned slot, const FuzzFinding *finding);

// Whether behind the inputs before it another one is accepted as well, which has to be refused for another
// reason and alone is.
bool fuzz_minimize_takes_any(FuzzCampaign *campaign, unsigned slot, const FuzzFinding *finding);

// Tries smaller and smaller inputs while they show the same, for a while.
void fuzz_minimize_input(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding);

// Leaves out inputs before it, those first that are longest ago, while it shows the same.
void fuzz_minimize_sequence(FuzzCampaign *campaign, unsigned slot, FuzzFinding *finding);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_MINIMIZE_H_
