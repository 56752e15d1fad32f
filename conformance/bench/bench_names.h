// SPDX-License-Identifier: Apache-2.0
// Names of global functions: those that were registered for the measurement, and as many others.
#ifndef TVMFFI_CONFORMANCE_BENCH_BENCH_NAMES_H_
#define TVMFFI_CONFORMANCE_BENCH_BENCH_NAMES_H_

#include <stdbool.h>
#include <stddef.h>

#include "battery/iut.h"

enum { BENCH_NAMES_MAX = 100000, BENCH_NAME_SIZE = 32 };

typedef struct BenchNames {
  char (*text)[BENCH_NAME_SIZE];  // own; 2 * BENCH_NAMES_MAX names, the unregistered ones last
  TVMFFIByteArray *bytes;         // own; the same as byte arrays
  size_t registered;              // of the first ones, for a function of its own each
} BenchNames;

// Has the first `count` names registered with the library, each for a function of its own. `label`
// tells the names of one subject from those of another, which may be the same library. False if
// memory is out or a call failed.
bool bench_names_register(BenchNames *names, const Iut *iut, char label, size_t count);

// Names that are not registered; at least BENCH_NAMES_MAX of them once bench_names_register has
// returned true.
const TVMFFIByteArray *bench_names_absent(const BenchNames *names);

void bench_names_free(BenchNames *names);

#endif  // TVMFFI_CONFORMANCE_BENCH_BENCH_NAMES_H_
