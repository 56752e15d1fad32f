// SPDX-License-Identifier: Apache-2.0
// Times the loading of a library, each time in a process that has not loaded it yet.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_LOAD_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_LOAD_H_

#include "bench/bench.h"

// Measures how long dlopen takes, what the library needs itself included, for the `count` libraries
// (1 or 2) in `rounds` rounds. To be called before this process loads any of them. Fills the
// samples and the ratio.
void bench_load(unsigned count, char *const paths[], unsigned rounds, BenchRecord *record);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_LOAD_H_
