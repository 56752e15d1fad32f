// SPDX-License-Identifier: Apache-2.0
// Calls after each other in a copy of the process, of the module or of another build of it, and what came of each.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_SERIES_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_SERIES_H_

#include "kernel/kernel_apart.h"

enum { SERIES_MAX = 12, SERIES_FORMS = 7, SERIES_ROUNDS = 64 };

// How a tensor lies in memory; 0: as in the example.
typedef struct SeriesCall {
  const Kernel *kernel;  // borrowed
  unsigned char
      forms[KERNEL_PARAMETERS_MAX];  // below SERIES_FORMS, of the tensors among the parameters
  bool held_apart;                   // elements of those in containers do not lie side by side
  int output, input;  // parameters: the output has the memory of the input. -1: each has its own
  // What calls before it in the series were given and have returned is handed over in the place of its own: the nth value from
  // the end that may be a parameter's, for each that is an object and for the parameter `takes` (-1: none). 0: an
  // object that has none of its own is the last one.
  unsigned char earlier;
  int takes;
  bool promised;  // what serves it in one build has to serve it in the other
} SeriesCall;

typedef struct Series {
  const SeriesCall *calls;
  unsigned count;      // SERIES_MAX at most
  bool other;          // of the other build
  unsigned char fill;  // what fresh memory is full of
  bool heap;           // each call is made over and over: how much more memory is in use then
  unsigned seconds;    // that each may take; 0: one
} Series;

// Makes the calls; outcomes[i] is what came of call i. The first that did not come back in time, or ended the process,
// is the last: APART_LOST, those behind it APART_NOT_AFTER. Where a call is over, its tensors are gone. On a device that
// this process holds, which no copy can use, calls of the module are made in this process. Returns how many came back.
unsigned kernel_series_make(Iut *iut, const Series *series, ApartOutcome *outcomes);

// Whether the output of a call can have the memory of the input: both are tensors of one type and shape.
bool kernel_series_may_share(const Kernel *kernel, uint32_t output, uint32_t input);

// The call (of the module that is judged), and what `note` says of it: values, and how tensors lie.
KernelCall *kernel_series_call(Iut *iut, const SeriesCall *from);
void kernel_series_describe(const SeriesCall *from, const KernelCall *call, char *text,
                            size_t capacity);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_SERIES_H_
