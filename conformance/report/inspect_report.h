// SPDX-License-Identifier: Apache-2.0
// What `inspect` says, written down: for people, as JSON, as SARIF.
#ifndef TVMFFI_CONFORMANCE_REPORT_INSPECT_REPORT_H_
#define TVMFFI_CONFORMANCE_REPORT_INSPECT_REPORT_H_

#include <stdio.h>

#include "inspect/inspect_subject.h"
#include "report/report.h"

// What all files together came to.
typedef struct InspectTotals {
  size_t files, unreadable, unknown;  // unknown: of no profile
  size_t errors, warnings, notes;     // each kind counts once a file
  size_t places;                      // symbols and others that they are about
} InspectTotals;

// Everything about one file.
void inspect_text_file(FILE *out, const TextStyle *style, const InspectSubject *subject);

// Parts of it, each in a file of its own.
void inspect_text_facts(FILE *out, const TextStyle *style, const InspectSubject *subject);
void inspect_text_macho(FILE *out, const TextStyle *style, const InspectSubject *subject);
void inspect_text_pe(FILE *out, const TextStyle *style, const InspectSubject *subject);
void inspect_text_blob(FILE *out, const TextStyle *style, const InspectSubject *subject);
void inspect_text_findings(FILE *out, const TextStyle *style, const InspectSubject *subject);

// A file that could not be read.
void inspect_text_unreadable(FILE *out, const TextStyle *style, const char *name, const char *text);

// The last line.
void inspect_text_totals(FILE *out, const TextStyle *style, const InspectTotals *totals);

// "1.2 MB"; in units of 1000.
const char *inspect_text_size(uint64_t size, char text[32]);

// "0.1.5", or "2.34" where the third part is 0 and `parts` is 2.
const char *inspect_text_version(uint32_t version, int parts, char text[16]);

#endif  // TVMFFI_CONFORMANCE_REPORT_INSPECT_REPORT_H_
