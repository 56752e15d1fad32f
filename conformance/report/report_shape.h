// SPDX-License-Identifier: Apache-2.0
// What the JSON report of a run looks like, as tables: what reports/report.schema.json says, for a
// program that has no interpreter of schemas. harness/tests/test_diff_verb.py holds the two
// against each other, member by member.
#ifndef TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_
#define TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "inspect/inspect_json_place.h"

#define REPORT_FORMAT "tvmffi-conform-report/1"

// Whether `root` is shaped like a report: every member there, none of them unknown, each of its
// kind and form. If not, `place` is left at the value that is wrong, its keys borrowed from `root`
// or static, and `what` says what it has to be.
bool report_shape_holds(const json_t *root, InspectJsonPlace *place, char *what, size_t what_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_REPORT_SHAPE_H_
