// SPDX-License-Identifier: Apache-2.0
// A run made by hand, for the tests of judge/ and report/: a library that was never inspected,
// cases that were never run, outcomes as the test likes them.
#ifndef TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_SAMPLE_H_
#define TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_SAMPLE_H_

#include "judge/judge.h"
#include "report/report.h"

enum { SAMPLE_CASES_MAX = 48, SAMPLE_WAIVERS_MAX = 8 };

typedef struct Sample {
  RunReport report;
  InspectReport library;
  Selection selection;
  Case tests[SAMPLE_CASES_MAX];
  CaseInstance instances[SAMPLE_CASES_MAX];
  Waiver waivers[SAMPLE_WAIVERS_MAX];
  WaiverSet set;
} Sample;

// A runtime at "build/libfoo_ffi.so" that reports 0.1.9 and has all functions; no results yet.
void sample_begin(Sample *sample);

// Adds a case that passed: three expectations held, in 1.5 ms. It cites one clause, of the level
// asked for. The result is judged by sample_judge, after the test has changed its outcome.
CaseResult *sample_add(Sample *sample, const char *chapter, const char *name, ClauseLevel level);

// Adds a case that the plan found not applicable.
CaseResult *sample_add_skipped(Sample *sample, const char *chapter, const char *name,
                               const char *reason);

// Makes an outcome fail one more expectation, and returns its slot, filled with words.
EvidenceFailure *sample_fail(CaseResult *result);

// How a case ended: on its own, or not.
typedef enum Ending {
  ENDING_PASS,
  ENDING_FAIL,
  ENDING_CRASH,
  ENDING_EXIT,
  ENDING_HANG,
  ENDING_LOST,
  ENDING_UNTOLD,  // the case says that it can't tell
  ENDING_SKIP,
  ENDING_NOT_RUN
} Ending;
void sample_let_end(CaseResult *result, Ending ending);

// The evidence of an outcome, made if it has none yet.
Evidence *sample_evidence(CaseResult *result);

// Waives a case, without its being looked up anywhere.
void sample_waive(Sample *sample, const char *case_id, const char *reason);

// Judges every result and the run.
void sample_judge(Sample *sample);

// Whether the standing is a good one.
bool sample_conforms(const Sample *sample);

void sample_end(Sample *sample);

// What the writers give. Own.
char *sample_text(const Sample *sample, const TextStyle *style);
typedef int SampleWriter(const RunReport *report, const char *path, char *error, size_t error_size);
char *sample_file(const Sample *sample, SampleWriter *writer, const char *name, size_t *size);

// A path in the folder for test files. Own.
char *sample_path(const char *name);

// How often `part` occurs in `text`.
size_t sample_count(const char *text, const char *part);

#endif  // TVMFFI_CONFORMANCE_TESTS_TEST_REPORT_SAMPLE_H_
