// SPDX-License-Identifier: Apache-2.0
// A process with the other build of the module that the user names (--same-as). Two builds in one process would register the
// same types, and see each other's.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_SECOND_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_SECOND_H_

#include "kernel/kernel_series.h"

// Before the module is loaded: has a copy of this process load the other build in its place, and wait for calls to make.
// Nothing happens where none is named. The copy ends with this process.
void kernel_second_start(Iut *iut);

// Whether this is that process, or a copy of it.
bool kernel_second_is_here(void);

// kernel_series_make there. Ends the case as inconclusive where there is no such process, or the build can't be loaded.
void kernel_second_make(Iut *iut, const Series *series, ApartOutcome *outcomes);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_SECOND_H_
