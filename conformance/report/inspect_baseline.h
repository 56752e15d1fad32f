// SPDX-License-Identifier: Apache-2.0
// An earlier JSON report of `inspect`, and what has become worse since.
#ifndef TVMFFI_CONFORMANCE_REPORT_INSPECT_BASELINE_H_
#define TVMFFI_CONFORMANCE_REPORT_INSPECT_BASELINE_H_

#include "inspect/inspect_subject.h"

typedef struct InspectBaseline InspectBaseline;

// Reads a report. Returns it (own), or NULL with `error` saying what is wrong with the file.
InspectBaseline *inspect_baseline_read(const char *path, char *error, size_t error_size);
void inspect_baseline_free(InspectBaseline *baseline);

// Adds to the subject's findings what is worse than in the report: a floor that has risen, an
// export of the ABI that is gone, a warning or an error that was not there. The file is the one of
// the same path or else of the same name; one that the report does not have is new, and nothing is
// said of it. The findings borrow from the baseline. False if memory is out.
bool inspect_baseline_apply(InspectBaseline *baseline, InspectSubject *subject);

// The name of the `index`-th file of the report that no subject was compared with (borrowed), or
// NULL when there are no more.
const char *inspect_baseline_left(const InspectBaseline *baseline, size_t index);

#endif  // TVMFFI_CONFORMANCE_REPORT_INSPECT_BASELINE_H_
