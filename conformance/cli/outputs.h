// SPDX-License-Identifier: Apache-2.0
// Where the text and the reports of a verb go.
#ifndef TVMFFI_CONFORMANCE_CLI_OUTPUTS_H_
#define TVMFFI_CONFORMANCE_CLI_OUTPUTS_H_

#include <stdbool.h>
#include <stdio.h>

#include "cli/options.h"

// The text goes to stdout unless a report does; then to stderr.
FILE *outputs_text_stream(const Options *options);

// Looks at the folders of all reports, and at what lies in their place, before anything runs, so
// that long work is not lost to a misspelt path. False after a message if one can't be written.
bool outputs_can_be_written(const Options *options);

#endif  // TVMFFI_CONFORMANCE_CLI_OUTPUTS_H_
