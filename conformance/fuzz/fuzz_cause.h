// SPDX-License-Identifier: Apache-2.0
// Which findings have one cause, and which inputs are simpler than others.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAUSE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAUSE_H_

#include "fuzz/fuzz_campaign.h"

// Whether the spec leaves open what the aspect is about.
bool fuzz_cause_is_open(const FuzzAspect *aspect);

// The clause that a finding is about: that of its aspect, unless the surface has one for all of its
// class.
ClauseId fuzz_cause_clause(const FuzzSurface *surface, const FuzzFinding *finding);

// Whether two findings have one cause: the same class, and for crashes the same place, for errors
// the same words, for hangs the same place, else the same clause. All that shows only behind other
// inputs is one of its class.
bool fuzz_cause_is_same(const FuzzSurface *surface, const FuzzFinding *one,
                        const FuzzFinding *other);

// Whether an input of this aspect has less that is special about it than one of another: sound ones
// say more than broken ones, and those come first that have nothing special.
bool fuzz_cause_is_simpler(const FuzzSurface *surface, unsigned one, unsigned other);

// Whether what is seen of the first aspect follows from the other one.
bool fuzz_cause_follows(const FuzzSurface *surface, unsigned aspect, unsigned cause);

// Whether both aspects are of inputs that must be refused. What crashes in the same place may be
// about either: an input may have two faults.
bool fuzz_cause_is_other_fault(const FuzzSurface *surface, unsigned one, unsigned other);

// Whether a smaller input may be about something else: what is spent on a number that announces too
// much is found in inputs that are wrong in other ways, too.
bool fuzz_cause_may_drift(const FuzzSurface *surface, const FuzzFinding *finding);

// Whether what was shown is the finding, or the same of a simpler input.
bool fuzz_cause_is_wanted(const FuzzSurface *surface, const FuzzFinding *wanted,
                          const FuzzFinding *shown);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_CAUSE_H_
