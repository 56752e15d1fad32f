// SPDX-License-Identifier: Apache-2.0
// One case in the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_

#include <stdio.h>

#include "report/report.h"

// What is to be read about a case that did not simply pass: what the spec says, what was seen, how
// to see it again. `turns` of `all_turns` runs of this case ended so.
void text_case(FILE *out, const TextStyle *style, const RunReport *report, const CaseResult *result,
               size_t turns, size_t all_turns);

// What was expected and what was seen, expectation by expectation.
void text_evidence(FILE *out, const TextStyle *style, const Outcome *outcome);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_CASE_H_
