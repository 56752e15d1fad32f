// SPDX-License-Identifier: Apache-2.0
// What is wrong with a file, as a list; the kinds stand in inspect_findings.def.
#ifndef TVMFFI_CONFORMANCE_INSPECT_INSPECT_FINDINGS_H_
#define TVMFFI_CONFORMANCE_INSPECT_INSPECT_FINDINGS_H_

#include "inspect/elffile.h"

typedef enum InspectLevel {
  INSPECT_LEVEL_NONE = 0,  // lowered so far that it is not shown
  INSPECT_LEVEL_NOTE,
  INSPECT_LEVEL_WARNING,
  INSPECT_LEVEL_ERROR,
} InspectLevel;

typedef enum InspectFindingId {
#define INSPECT_FINDING(name, id, level, clause, source, what, remedy) INSPECT_FINDING_##name,
#include "inspect/inspect_findings.def"
  INSPECT_FINDING_COUNT
} InspectFindingId;

typedef struct InspectFindingKind {
  const char *id;
  InspectLevel level;
  const char *clause;  // "MOD-44", or ""
  const char *source, *what, *remedy;
} InspectFindingKind;

extern const InspectFindingKind inspect_finding_kinds[INSPECT_FINDING_COUNT];

enum { INSPECT_MOST_OF_A_KIND = 200 };

typedef struct InspectFinding {
  InspectFindingId id;
  InspectLevel level;  // that of its kind, unless a policy says otherwise
  ElfText symbol;      // borrowed from the file's bytes; size 0: none
  char detail[256];    // what else is to be said of this one, or ""
  const char *reason;  // borrowed from the policy that changed the level, or NULL
} InspectFinding;

typedef struct InspectFindings {
  InspectFinding *items;  // own
  size_t count;
  size_t unstored[INSPECT_FINDING_COUNT];  // beyond INSPECT_MOST_OF_A_KIND
  InspectLevel unstored_levels[INSPECT_FINDING_COUNT];
  bool no_memory;
} InspectFindings;

// Appends a finding. Nothing is returned: of each kind a number is stored, the rest counted, and a
// lack of memory is noted.
__attribute__((format(printf, 4, 5))) void inspect_findings_add(InspectFindings *findings,
                                                                InspectFindingId id, ElfText symbol,
                                                                const char *detail, ...);
void inspect_findings_free(InspectFindings *findings);

// Errors first, then warnings, then notes; those of a kind together, in the order they were added.
void inspect_findings_sort(InspectFindings *findings);

// How many kinds there are of a level: a finding about a thousand symbols is one.
size_t inspect_findings_at(const InspectFindings *findings, InspectLevel level);

// How many symbols and other places all that are shown are about.
size_t inspect_findings_places(const InspectFindings *findings);

// The kind with this id, or INSPECT_FINDING_COUNT.
InspectFindingId inspect_finding_find(const char *id);

const char *inspect_level_name(InspectLevel level);  // "none", "note", "warning", "error"

#endif  // TVMFFI_CONFORMANCE_INSPECT_INSPECT_FINDINGS_H_
