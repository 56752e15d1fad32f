// SPDX-License-Identifier: Apache-2.0
// The functions of a module in the text report.
#ifndef TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_
#define TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_

#include <stdio.h>

#include "report/report.h"

// A line that says where the signatures come from. Nothing for a runtime.
void text_origins(FILE *out, const RunReport *report);

// Two lines or three for each function of which something could not be judged that a line of the
// signature file would tell, that line included; of many functions the first ones only. With -v each
// function, and all that was tried. Nothing for a runtime.
void text_functions(FILE *out, const TextStyle *style, const RunReport *report);

#endif  // TVMFFI_CONFORMANCE_REPORT_TEXT_FUNCTIONS_H_
