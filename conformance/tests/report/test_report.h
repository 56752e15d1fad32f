// SPDX-License-Identifier: Apache-2.0
#ifndef TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_H_
#define TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_H_

#include "test_report_sample.h"
#include "unit/unit.h"

// One case of every kind: what each of the writers has to tell apart.
enum {
  EVERY_PASS,
  EVERY_FAIL,
  EVERY_CRASH,
  EVERY_EXIT,
  EVERY_HANG,
  EVERY_VOID,
  EVERY_WARNING,
  EVERY_WAIVED,
  EVERY_XPASS,
  EVERY_SKIP,
  EVERY_NOT_RUN,
  EVERY_COUNT
};
void sample_begin_with_every_kind(Sample *sample);

// A run in which everything that comes from outside is as bad as it can be: control characters,
// bytes that are no UTF-8, the ends of comments and sections of every format, 10 MB of output,
// arrays without an end.
void sample_begin_hostile(Sample *sample);

// True if the text is valid UTF-8 without control characters other than line feeds (and tabs, if
// `tabs`).
bool sample_is_clean(const char *text, size_t size, bool tabs);

#endif  // TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_H_
