// SPDX-License-Identifier: Apache-2.0
// One case in the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

// What ended as the case did and is not shown for itself.
typedef struct TextKin {
  size_t turns, all_turns;  // runs of this case that ended so, and all of them
  char *rows;               // names of other rows of the case, or NULL
  bool clause_is_told;      // the case before it is of the same clause
} TextKin;

// What is to be read about a case that did not simply pass: what the spec says, what was seen, how
// to see it again.
void text_case(FILE *out, const TextStyle *style, const RunReport *report, const CaseResult *result,
               const TextKin *kin);

// What was expected and what was seen, expectation by expectation.
void text_evidence(FILE *out, const TextStyle *style, const Outcome *outcome);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_
