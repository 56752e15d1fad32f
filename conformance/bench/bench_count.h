// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of one operation under Callgrind. A count is the same on a busy machine
// as on an idle one.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_COUNT_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_COUNT_H_

#include "bench/bench.h"
#include "bench/bench_operations.h"

// True if this build can count, and the process runs under Callgrind.
bool bench_count_possible(void);

// Counts the instructions of `operation` on `count` subjects (1 or 2), libc's included. Callgrind
// writes its dumps to `dumps`.1, `dumps`.2 and so on; each is removed once it is read. Operations
// of more than one thread are not counted. Fills the samples (their spread is 0) and the ratio.
void bench_count(const BenchOperation *operation, BenchSubject *const subjects[], unsigned count,
                 const char *dumps, BenchRecord *record);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_COUNT_H_
