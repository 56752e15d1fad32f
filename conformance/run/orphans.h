// SPDX-License-Identifier: Apache-2.0
// Processes that a library started and left behind. The worker and the main process are subreapers,
// so such processes become their children when their parents end.
#ifndef TVMFFI_CONFORMANCE_RUN_ORPHANS_H_
#define TVMFFI_CONFORMANCE_RUN_ORPHANS_H_

#include <stddef.h>
#include <sys/types.h>

// Kills and reaps every child of this process, generation after generation, but for the `count`
// processes in `spared`, until there is none; only what can't be killed is given up, after some
// seconds. Returns how many it killed. Where there is none, that costs one system call.
size_t orphans_end(const pid_t *spared, size_t count);

#endif  // TVMFFI_CONFORMANCE_RUN_ORPHANS_H_
