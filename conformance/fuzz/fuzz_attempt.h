// SPDX-License-Identifier: Apache-2.0
// One process of a campaign as the main process sees it: from the request to its end, with what it
// showed.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_ATTEMPT_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_ATTEMPT_H_

#include "fuzz/fuzz_campaign.h"
#include "run/slot.h"

typedef enum FuzzAttemptEnd {
  FUZZ_ATTEMPT_SEALED,  // it came to its end, and said so
  FUZZ_ATTEMPT_DOWN,    // a signal, exit(), or its worker went with it
  FUZZ_ATTEMPT_HUNG,
} FuzzAttemptEnd;

typedef struct FuzzAttempt {
  Slot *slot;  // borrowed
  FuzzArena *arena;
  bool running;
  uint64_t watched, since_ns;  // the run that was under way when we last looked, and since when
  // Time on a processor, and waiting for one, that its process had when it began to take long.
  uint64_t spent_ns, waited_ns;
  uint64_t stopped_ns;  // when it was told to stop, since its time was up; 0: it was not
  bool killed;
  uint64_t before, next;  // runs that had begun when it was asked for, and which was next
  FuzzAttemptEnd end;
  FuzzFinding finding;  // what its end says; its bytes are NULL
} FuzzAttempt;

// Has the worker of `slot` serve arena number `index` on a library of this generation and version.
// False if the worker is gone.
bool fuzz_attempt_begin(FuzzAttempt *attempt, Slot *slot, FuzzArena *arena, unsigned index,
                        AbiGeneration generation, uint32_t version);

// Looks, without waiting, whether it has ended, and ends it if one input takes more than `limit_ns`
// on a processor, or ten times as long by the clock. True once it has ended; program counters are
// then named by the symbols of `library`.
bool fuzz_attempt_poll(FuzzAttempt *attempt, uint64_t limit_ns, const InspectReport *library);

// Whether an input was begun. What ends without one says something of the library, and nothing of
// an input.
bool fuzz_attempt_has_begun(const FuzzAttempt *attempt);

// Of a process that ran one input of this surface: what it showed, at most `capacity` findings.
// Their count.
int fuzz_attempt_findings(const FuzzAttempt *attempt, const FuzzSurface *surface,
                          FuzzFinding *shown, size_t capacity);

// Copies a text that a worker wrote: printable, and ended within its bounds.
void fuzz_attempt_copy_text(char to[FUZZ_TEXT_MAX], const char from[FUZZ_TEXT_MAX]);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_ATTEMPT_H_
