// SPDX-License-Identifier: Apache-2.0
// What the stream and the environment say about how text should look.
#ifndef TVMFFI_CONFORMANCE_CLI_STYLE_H_
#define TVMFFI_CONFORMANCE_CLI_STYLE_H_

#include <stdio.h>

#include "cli/options.h"
#include "report/report.h"

// Colours if asked for, or on a terminal unless NO_COLOR is set; UTF-8 if the locale has it.
TextStyle style_for(FILE *out, const Options *options);

#endif  // TVMFFI_CONFORMANCE_CLI_STYLE_H_
