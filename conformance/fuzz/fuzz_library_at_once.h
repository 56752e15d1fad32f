// SPDX-License-Identifier: Apache-2.0
// Two threads that load one library at the same time.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_AT_ONCE_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_AT_ONCE_H_

#include "battery/iut.h"

typedef struct FuzzAtOnce {
  Iut *iut;
  TVMFFIObjectHandle load;  // borrowed: the function that loads `path`
  const char *path;
  TVMFFIObjectHandle root;  // borrowed: what each load has to give
  unsigned times;           // for each thread
} FuzzAtOnce;

// Loads it so many times in each of two threads, or until one load is wrong. How many are: 0 as well
// where no thread can be started.
int fuzz_load_at_once(const FuzzAtOnce *loads);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LIBRARY_AT_ONCE_H_
