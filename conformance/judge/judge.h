// SPDX-License-Identifier: Apache-2.0
// Verdicts. The only place that turns outcomes into verdicts, and verdicts into an exit code.
#ifndef TVMFFI_CONFORMANCE_JUDGE_JUDGE_H_
#define TVMFFI_CONFORMANCE_JUDGE_JUDGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "inspect/inspect.h"
#include "judge/gate.h"
#include "judge/verdict.h"
#include "judge/waivers.h"
#include "plan/plan.h"
#include "run/outcome.h"
#include "sandbox/sandbox.h"

typedef enum Verdict {
  VERDICT_PASS,
  VERDICT_FAIL,
  VERDICT_SKIP,          // not applicable; the reason says why
  VERDICT_INCONCLUSIVE,  // no evidence either way
  VERDICT_XFAIL,         // failed, and a waiver says so
  VERDICT_XPASS,         // passed, although a waiver says it fails
  VERDICT_COUNT
} Verdict;

// What kind of fail it was.
typedef enum FailKind {
  FAIL_NONE,
  FAIL_EXPECTATION,
  FAIL_CRASH,
  FAIL_EXIT,
  FAIL_TIMEOUT,
} FailKind;

typedef struct CaseResult {
  const CaseInstance *instance;  // borrowed
  Verdict verdict;
  FailKind fail_kind;
  bool
      not_applicable;  // the plan, or the case, found that it is not for a library such as this one
  char reason[320];    // skip, inconclusive, crash, exit, time-out: one line for people, not yet
                       // cleaned of control characters; "" for a pass and for expectations that did
                       // not hold
  const Waiver *waiver;  // borrowed, or NULL
  bool of_headers;  // it failed, but for what the official C++ headers do in every module, as the
                    // reason says: it is skipped
  Outcome outcome;  // own
} CaseResult;

// Per clause: what its cases say together.
typedef enum ClauseStanding {
  CLAUSE_NOT_JUDGED,  // no case of it was run to a verdict
  CLAUSE_HOLDS,       // at least one case passed, none failed
  CLAUSE_BROKEN,
} ClauseStanding;

typedef struct RunTotals {
  unsigned cases;    // planned, skipped ones included
  unsigned run;      // were run, whatever came of it
  unsigned not_run;  // inconclusive because the run ended before their turn
  unsigned by_verdict[VERDICT_COUNT];
  unsigned crashed, timed_out, exited;  // among the fails
  unsigned of_headers;                  // among the skips: what the official headers do
  unsigned warnings;                    // fails, and no verdicts, that the gate lets pass
  unsigned skip_reasons;                // distinct reasons among the skipped
} RunTotals;

enum { REPORT_AGAIN_MAX = 14 };

typedef struct RunReport {
  const InspectReport *library;  // borrowed
  uint32_t
      reported_version;    // ABI_VERSION that the library reports; UINT32_MAX if it can't be asked
  const char *generation;  // "0.1"
  const char *profile;     // "runtime", "module"
  const char *isolation;   // "fork", "exec"
  const char *libc;        // the C library of the process that the library is loaded into; or NULL
  const Sandbox *sandbox;  // borrowed; what the library was confined by; NULL: not known
  unsigned jobs;
  const char *device;       // the real device that was asked for, "cuda:0"; NULL: none
  bool device_found;        // it could be reached
  const char *device_text;  // its name and driver, or why it could not
  Gate gate;                // whoever read it frees it
  unsigned min_judged;      // percent of the applicable MUST clauses; below, it is inconclusive
  const char *not_judged;   // borrowed; why the library could not be loaded, or NULL
  bool complete;            // false: interrupted, or stopped at the first fail
  bool interrupted;         // by the user
  const char *started_at;   // ISO 8601, UTC
  const char *again[REPORT_AGAIN_MAX];  // borrowed; what `repro` has to be told, too; up to a NULL
  uint64_t duration_ns;
  const Selection *selection;  // borrowed
  const KernelList *kernels;   // borrowed; the functions of a module, or NULL
  size_t sharing;              // of the plan: functions of which not all are tried in full, or 0
  CaseResult *results;         // own
  size_t result_count;
  ClauseStanding *standings;  // own; by ClauseId
  RunTotals totals;
  const WaiverSet *waivers;  // borrowed, or NULL
  const Waiver **unmatched;  // own; waivers in force whose case was selected and yet waived nothing
  size_t unmatched_count;
  const char *known_release;  // the version of the official release that the library is, or NULL
  const WaiverSet *known_deviations;  // borrowed; of it, whether or not they are applied; or NULL
  RunVerdict verdict;
} RunReport;

// Makes one result an item of the plan, in its order: what does not apply is skipped with its
// reason, the rest is not run yet. `totals` are filled, so that the head line can be written. False
// if memory is out.
bool judge_begin(RunReport *report, const Plan *plan);

// The verdict on one outcome of a library that reports `version`. `limit_ns` is the time limit it
// ran under, for the message. An outcome that was not run is a skip if `reason` already says why,
// else inconclusive.
void judge_case(CaseResult *result, const WaiverSet *waivers, uint32_t version, uint64_t limit_ns);

// What the official C++ headers do in every module (known_headers.h) is none of this one's: a fail
// becomes a skip.
void judge_attribute(const RunReport *report, CaseResult *result);

// Fills standings, totals, unmatched waivers and the verdict from the results; may be called again.
// False if memory is out.
bool judge_run(RunReport *report);

const char *judge_verdict_name(Verdict verdict);  // "pass", "fail", ...
const char *judge_fail_kind_name(
    FailKind kind);  // "expectation", "crash", "exit", "timeout"; "" for none
const char *judge_standing_name(ClauseStanding standing);  // "holds", "broken", "not_judged"

// True if this result alone makes the library non-conforming (the gate considered).
bool judge_counts_against(const RunReport *report, const CaseResult *result);

// Frees what the report owns, not the report itself.
void judge_free(RunReport *report);

#endif  // TVMFFI_CONFORMANCE_JUDGE_JUDGE_H_
