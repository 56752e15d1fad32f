// SPDX-License-Identifier: Apache-2.0
// Notes, in the evidence, how a process of a case crashed: signal, address, program counters,
// fence.
#ifndef TVMFFI_CONFORMANCE_WORKER_CRASH_H_
#define TVMFFI_CONFORMANCE_WORKER_CRASH_H_

#include "run/evidence.h"

// Sets every signal back to its default, unblocks it, and stops the timers that send some: a
// library's constructor may have changed them.
void crash_reset_signals(void);

// From here on a crash of this process, or of a child of it, is noted in `into` (borrowed, of static
// lifetime) before the process dies of the signal.
void crash_install(Evidence *into);

#endif  // TVMFFI_CONFORMANCE_WORKER_CRASH_H_
