// SPDX-License-Identifier: Apache-2.0
// What a run spends on cases that hang, or that take more of the machine than a case may. It has a
// budget for all of them: a library whose every call hangs would else take hours to be judged.
#ifndef TVMFFI_CONFORMANCE_RUN_HANGS_H_
#define TVMFFI_CONFORMANCE_RUN_HANGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/case.h"

enum { HANGS_GROUPS_MAX = 256 };

typedef struct Hangs {
  uint64_t budget_ns;  // 0: there is none, and limits stay as they are
  uint64_t spent_ns;
  unsigned count;  // of cases that hung
  struct {
    const char *name;  // borrowed; a chapter, or a function of a module
    unsigned count;
  } groups[HANGS_GROUPS_MAX];
  size_t group_count;
} Hangs;

// The limit for a case that has `limit_ns` where nothing hangs. Two cases of a chapter, or about one
// function of a module, may take all of it; for others of them it is halved with each hang, and for
// all cases with every six, down to a sixteenth, or to 125 ms where that is more. No case gets more
// than is left.
uint64_t hangs_limit_ns(const Hangs *hangs, const CaseInstance *instance, uint64_t limit_ns);

// A case has hung for `duration_ns`.
void hangs_add(Hangs *hangs, const CaseInstance *instance, uint64_t duration_ns);

// A case took `duration_ns` because of what had to be ended: that says nothing of other limits.
void hangs_charge(Hangs *hangs, uint64_t duration_ns);

// Nothing is left.
bool hangs_used_up(const Hangs *hangs);

#endif  // TVMFFI_CONFORMANCE_RUN_HANGS_H_
