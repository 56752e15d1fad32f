// SPDX-License-Identifier: Apache-2.0
// What `bench` measured, as text and as JSON.
#ifndef TVMFFI_CONFORMANCE_REPORT_BENCH_REPORT_H_
#define TVMFFI_CONFORMANCE_REPORT_BENCH_REPORT_H_

#include "bench/bench.h"
#include "report/report.h"

enum { BENCH_ROWS_MAX = 256 };

typedef struct BenchReport {
  unsigned count;                         // of libraries: 1, or 2 that are compared
  const char *names[BENCH_SUBJECTS_MAX];  // borrow: as the user wrote them
  char sha256[BENCH_SUBJECTS_MAX][65];    // of the files
  uint32_t version[BENCH_SUBJECTS_MAX];   // ABI_VERSION, UINT32_MAX if it reports none
  unsigned rounds;                        // 0: instructions were counted
  BenchRecord rows[BENCH_ROWS_MAX];       // of kind BENCH_ROW
  size_t row_count;
  bool complete;    // all operations were measured
  char ended[640];  // why not: clean text, "" if complete
} BenchReport;

// Of a row with a ratio: which library is faster. Less than 5 % is no difference, nor is one that
// fewer than three rounds out of four show.
typedef enum BenchVerdict { BENCH_ALIKE, BENCH_A_FASTER, BENCH_B_FASTER } BenchVerdict;
BenchVerdict bench_verdict(const BenchRecord *row);

// The text, piece by piece as it comes to be: what is measured, a row, and in the end how many
// operations of two libraries differ, and their ratios as bars.
void bench_text_head(FILE *out, const TextStyle *style, const BenchReport *report);
void bench_text_row(FILE *out, const TextStyle *style, const BenchReport *report,
                    const BenchRecord *row);
void bench_text_end(FILE *out, const TextStyle *style, const BenchReport *report);

// The JSON report (reports/bench.schema.json). 0 on success, else -1 with `error` saying what was
// being written, where, and why not.
int bench_json(const BenchReport *report, const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_REPORT_BENCH_REPORT_H_
