// SPDX-License-Identifier: Apache-2.0
// What did not pass, in the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_CASES_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_CASES_H_

#include <stdio.h>

#include "report/report.h"

// What counts against the library in full, the cases of a clause together; of very many the first
// ones, and the clauses of the others. Waivers that matched nothing.
void text_failures(FILE *out, const TextStyle *style, const RunReport *report);

// What does not count, warnings and waived failures: a line for each clause, of very many the names
// alone; with -v each case in full.
void text_warnings(FILE *out, const TextStyle *style, const RunReport *report);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_CASES_H_
