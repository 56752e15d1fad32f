// SPDX-License-Identifier: Apache-2.0
// Threads that take turns: one runs while the others wait, so that what each keeps for itself can
// be held against a model, and a run is the same each time.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_LANES_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_LANES_H_

#include <stdbool.h>

enum { FUZZ_LANES = 3 };

typedef void FuzzLaneWork(void *context);

// Has `work` done by a thread, and waits until it is done: lane 0 is the thread that calls, the
// others begin when they are first needed.
void fuzz_lanes_run(int lane, FuzzLaneWork *work, void *context);

// Whether a lane has a thread.
bool fuzz_lanes_have_begun(int lane);

// Ends a lane's thread, and waits until it is gone with all that it kept. Lane 0 stays.
void fuzz_lanes_end(int lane);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_LANES_H_
