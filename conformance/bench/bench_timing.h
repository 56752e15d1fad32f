// SPDX-License-Identifier: Apache-2.0
// Times one operation on one or two libraries. A round lasts some milliseconds and measures one
// library after the other, so that whatever else the machine does at that time meets both; the
// first of the two changes from round to round. What counts is the median of the rounds.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_TIMING_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_TIMING_H_

#include "bench/bench.h"
#include "bench/bench_operations.h"

// Measures `operation` on `count` subjects (1 or 2) in `rounds` rounds (1 to BENCH_ROUNDS_MAX).
// Fills the samples and the ratio of the record.
void bench_time(const BenchOperation *operation, BenchSubject *const subjects[], unsigned count,
                unsigned rounds, BenchRecord *record);

// The samples and the ratio out of the numbers of all rounds, `numbers[i][round]`, for the subjects
// whose state is BENCH_MEASURED. Sorts the numbers.
void bench_summarise(double *const numbers[], unsigned count, unsigned rounds, BenchRecord *record);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_TIMING_H_
