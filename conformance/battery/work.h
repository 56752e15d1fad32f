// SPDX-License-Identifier: Apache-2.0
// How much work a thread does between two points: instructions, where the system counts them, which
// says the same on a busy machine; else nanoseconds on a processor, of which the least of several
// times says most.
#ifndef TVMFFI_CONFORMANCE_BATTERY_WORK_H_
#define TVMFFI_CONFORMANCE_BATTERY_WORK_H_

#include <stdbool.h>
#include <stdint.h>

// Whether instructions are counted. The first call finds out.
bool work_is_counted(void);

// From here on the work of this thread counts. One at a time in a process.
void work_start(void);
// What was done since; at least 1.
uint64_t work_stop(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_WORK_H_
