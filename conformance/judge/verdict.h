// SPDX-License-Identifier: Apache-2.0
// The verdict on a run: what it is called, why, how much was judged, and with which code the program ends. Every report
// and the exit code show this one.
#ifndef TVMFFI_CONFORMANCE_JUDGE_VERDICT_H_
#define TVMFFI_CONFORMANCE_JUDGE_VERDICT_H_

#include <stdbool.h>
#include <stddef.h>

#include "clause.h"

typedef enum RunStanding {
  STANDING_CONFORMS,
  STANDING_BROKEN_KNOWN,  // it conforms but for failures that waivers name
  STANDING_DOES_NOT_CONFORM,
  STANDING_INCONCLUSIVE,  // nothing counts against it, and too little could be judged
  STANDING_NOT_JUDGED,    // it could not be loaded
} RunStanding;

// What the program ends with.
enum {
  EXIT_CONFORMS = 0,
  EXIT_DOES_NOT_CONFORM = 1,
  EXIT_USAGE = 2,
  EXIT_CANNOT_LOAD = 3,
  EXIT_SUITE_FAULT = 4,
  EXIT_INCONCLUSIVE = 5,
  EXIT_INTERRUPTED = 130,
};

// Clauses of one scope and level.
typedef struct ClauseCounts {
  unsigned applicable;  // a case of it was selected, and is for a library such as this one
  unsigned judged;      // of these: a case of it came to a verdict
  unsigned holds;       // of these: none of its cases failed
} ClauseCounts;

enum { VERDICT_LEVELS = CLAUSE_HARDENING + 1, VERDICT_SCOPES = 4, VERDICT_REASONS_MAX = 8 };

// The scopes in the order in which they are shown: CLAUSE_SCOPE_CORE, ...
extern const unsigned verdict_scopes[VERDICT_SCOPES];

typedef struct RunVerdict {
  RunStanding standing;
  int exit_code;   // EXIT_INTERRUPTED if the user ended the run, whatever the standing
  char head[32];   // "CONFORMS", "NOT CONFORMANT", ...: what `text` begins with
  char text[768];  // one line for people; may hold words of the library
  char reasons[VERDICT_REASONS_MAX][512];  // why it is not a plain "conforms", a line each
  size_t reason_count;
  char scopes_why[160];  // which scopes a runtime was judged by, and why
  ClauseCounts counts[VERDICT_SCOPES][VERDICT_LEVELS];
  ClauseCounts must;  // of all scopes
  unsigned known;  // failed cases that known deviations of an official release name, waived or not
  unsigned percent;  // judged of the applicable MUST clauses, rounded down; 100 if there are none
} RunVerdict;

struct RunReport;

// Computes report->verdict from the judged results. Called by judge_run.
void verdict_decide(struct RunReport *report);

// "conforms", "broken_known", "does_not_conform", "inconclusive", "not_judged".
const char *verdict_standing_name(RunStanding standing);

// "CONFORMS", "BROKEN, KNOWN", "NOT CONFORMANT", "INCONCLUSIVE", "NOT JUDGED".
const char *verdict_standing_head(RunStanding standing);

// "TVM FFI ABI 0.1.9 (runtime)", or "... (runtime: core)" if it was not judged by all scopes; the
// generation stands in for a version that is not known.
void verdict_target(const struct RunReport *report, char text[96]);

// By which scopes a runtime is judged, and why, from the selection alone: "core: the library ...".
// "" for a module.
void verdict_scopes_why(const struct RunReport *report, char text[160]);

// Whether anything of this scope applied.
bool verdict_has_scope(const RunVerdict *verdict, size_t scope);

// "core 312 of 312 MUST · 40 of 44 SHOULD", with `dot` between: what holds of what was judged. Writes an empty text
// for a scope of which nothing was judged.
void verdict_scope_line(const RunVerdict *verdict, size_t scope, const char *dot, char text[160]);

// "known deviations of 0.1.15.post2: 82 (use --waivers official)", without the advice if waivers are
// applied. An empty text if the library is no official release, or nothing of the kind failed.
void verdict_known_line(const struct RunReport *report, char text[160]);

#endif  // TVMFFI_CONFORMANCE_JUDGE_VERDICT_H_
