// SPDX-License-Identifier: Apache-2.0
// The functions of a module in the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_

#include <stdio.h>

#include "report/report.h"

// Where the signatures come from, in a line; then a few lines for each function of which something is
// wrong or could not be judged: how it is called, what was tried, and the line of the signature file
// by which more could be judged. Of many functions the first ones only, with -v each and all that
// was tried. Nothing for a runtime.
void text_functions(FILE *out, const TextStyle *style, const RunReport *report);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_
