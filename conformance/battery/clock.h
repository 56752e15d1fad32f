// SPDX-License-Identifier: Apache-2.0
// Time that passes, whoever has the processor.
#ifndef TVMFFI_CONFORMANCE_BATTERY_CLOCK_H_
#define TVMFFI_CONFORMANCE_BATTERY_CLOCK_H_

#include <stdbool.h>

// Seconds since some moment, which is the same for all processes of the machine.
double clock_seconds(void);

// Whether less than this has passed since it was first asked in this process: on a slow machine a
// case makes fewer calls, rather than reach its time limit.
bool clock_leaves(double seconds);

// From here on `clock_leaves` counts anew: for another case in the same process.
void clock_start_again(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_CLOCK_H_
