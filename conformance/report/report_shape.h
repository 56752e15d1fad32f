// SPDX-License-Identifier: Apache-2.0
// The form of the JSON report of a run. The tables are generated from reports/report.schema.json by
// report_shape.py: the program has no interpreter of schemas.
#ifndef TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_
#define TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "inspect/inspect_json_place.h"

// Of reports with groups, and of those without.
#define REPORT_FORMAT "tvmffi-conform-report/2"
#define REPORT_FORMAT_BEFORE "tvmffi-conform-report/1"

// Whether `root` has the form of a report: all required members, no unknown ones, each of its type
// and form. If not, `place` is left at the wrong value, its keys borrowed from `root` or static, and
// `what` says what is wrong ("must be a string").
bool report_shape_holds(const json_t *root, InspectJsonPlace *place, char *what, size_t what_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_
