// SPDX-License-Identifier: Apache-2.0
// The operations that are timed: one table, whose bodies are loops over calls of the C API.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench_names.h"
#include "run/iut.h"

enum { BENCH_ARGS_MAX = 8, BENCH_TEXT_MAX = 4096, BENCH_THREADS_MAX = 2 };

// A library under measurement, with what the operation in hand works on.
typedef struct BenchSubject {
  Iut iut;
  char label;                 // 'A' or 'B'
  TVMFFIObjectHandle object;  // own; NULL if the operation has none
  TVMFFIAny view;
  TVMFFIAny args[BENCH_ARGS_MAX];
  int32_t arg_count;
  TVMFFIByteArray bytes;
  char text[BENCH_TEXT_MAX + 1];
  BenchNames names;
  const TVMFFIByteArray *asked;  // names to look up, `asked_count` of them
  size_t asked_count, stride;
  void *slot;  // of once-initialisation
} BenchSubject;

typedef struct BenchOperation {
  const char *title;
  uint64_t needs;    // one bit a function, by AbiFunctionId
  unsigned threads;  // that do it at the same time on the same subject; 0 means 1
  size_t size;       // arguments, bytes or names, as the title says
  // Makes what the operation works on. False if a call failed.
  bool (*prepare)(BenchSubject *subject, const struct BenchOperation *operation);
  // Does the operation `times` times, as one of the threads (from 0). 0 if every call returned what
  // it should.
  int (*run)(BenchSubject *subject, unsigned thread, uint64_t times);
} BenchOperation;

// The order matters: the table of global functions only ever grows.
extern const BenchOperation bench_operations[];
extern const size_t bench_operation_count;

// True if the library has all functions that the operation is made of.
bool bench_operation_applies(const BenchOperation *operation, const BenchSubject *subject);

// Gives back what `prepare` made, the names excepted, which the library keeps.
void bench_operation_clean(BenchSubject *subject);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_OPERATIONS_H_
