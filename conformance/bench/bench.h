// SPDX-License-Identifier: Apache-2.0
// What `bench` and its worker say to each other. The worker loads the libraries and times them; the
// main process prints. Records of a fixed size go one way, over a descriptor of their own, so that
// nothing a library writes elsewhere gets between them.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_H_

#include <stdint.h>

#define BENCH_DUMPS "TVMFFI_CONFORM_BENCH_DUMPS"

enum { BENCH_FD = 3, BENCH_SUBJECTS_MAX = 2, BENCH_ROUNDS_MAX = 1001, BENCH_ROUNDS_DEFAULT = 21 };

typedef enum BenchRecordKind {
  BENCH_BEGINS = 1,    // the worker runs
  BENCH_CANNOT_LOAD,   // `subject` could not be loaded; `text` says why
  BENCH_LOADED,        // all are; `version` is what each reports, `objects` what it is
  BENCH_STARTS,        // an operation comes next; `text` is its title
  BENCH_ROW,           // it was measured; `text` is its title
  BENCH_END,           // there is no more to come
  BENCH_CANNOT_COUNT,  // the worker does not run under Callgrind, or was built without it
} BenchRecordKind;

typedef enum BenchState {
  BENCH_MEASURED = 0,
  BENCH_NOT_THERE,    // the library lacks a function that the operation is made of
  BENCH_FAILED,       // a call did not give what the operation is about
  BENCH_NOT_COUNTED,  // several threads at once; instructions are counted in one
} BenchState;

typedef struct BenchSample {
  uint32_t state;  // BenchState
  double median;   // of one operation: nanoseconds, or instructions
  double spread;   // between the quartiles of the rounds; 0 for instructions
} BenchSample;

typedef struct BenchRecord {
  uint32_t kind;  // BenchRecordKind
  uint32_t subject;
  uint32_t version[BENCH_SUBJECTS_MAX];  // ABI_VERSION, UINT32_MAX if it reports none
  uint32_t objects[BENCH_SUBJECTS_MAX];  // GENERATION_BIT of the generation they are of; 0: none
  char text[512];
  BenchSample sample[BENCH_SUBJECTS_MAX];
  // How many times as long the second library takes as the first: median and quartiles over the
  // rounds, each of which measured both in turn. 0 unless both were measured.
  double ratio, ratio_low, ratio_high;
} BenchRecord;

// The worker's part: loads the `count` libraries, measures every operation on each in `rounds`
// rounds, and writes records to BENCH_FD. With 0 rounds it counts instructions, for which it has to
// run under Callgrind, whose dumps are named by BENCH_DUMPS in the environment. Returns the exit
// status of the process.
int bench_serve(unsigned rounds, unsigned count, char *const paths[]);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_H_
