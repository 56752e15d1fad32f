// SPDX-License-Identifier: Apache-2.0
// Where the parts that come with the program are, in a build folder and when installed.
#ifndef TVMFFI_CONFORMANCE_CLI_PLACES_H_
#define TVMFFI_CONFORMANCE_CLI_PLACES_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct Places {
  char worker[4096];                             // the worker program
  char reference[4096];                          // the bundled reference runtime
  char mutants[4096];                            // the folder of mutants
  char observer[4096];                           // what stands between a module and its runtime
  char layer[4096], audit[4096], preload[4096];  // what `trace` has loaded into programs
  char cuda[4096];                               // the folder of the stand-ins for CUDA
  char official_waivers[4096];                   // the file of waivers for official releases
  // The reference as a runtime of the ABI generation of September 2025, and its mutants.
  char reference_2025_09[4096], mutants_2025_09[4096];
} Places;

// The places relative to the running program, or what places_take_worker made of them. What does
// not exist is an empty string.
const Places *places(void);

// What to say where `worker` is "".
extern const char places_no_worker[];

// From here on this worker is started, which may have another C library than this program, and what
// is loaded into it is what lies beside it: the reference, the observer. False, with a reason, if
// there is none, or if the file is no worker; it is not started to find that out.
bool places_take_worker(const char *path, char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_CLI_PLACES_H_
