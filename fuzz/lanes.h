// SPDX-License-Identifier: Apache-2.0
// Threads that take turns: one runs while the others wait, so that what each keeps for itself can
// be held against a model, and a run is the same each time.
#ifndef TVMFFI_FUZZ_LANES_H_
#define TVMFFI_FUZZ_LANES_H_

#include <stdbool.h>

enum { LANES = 3 };

typedef void LaneWork(void *context);

// Has `work` done by a thread, and waits until it is done: lane 0 is the thread that calls, the
// others begin when they are first needed.
void lanes_run(int lane, LaneWork *work, void *context);

// Whether a lane has a thread.
bool lanes_has_begun(int lane);

// Ends a lane's thread, and waits until it is gone with all that it kept. Lane 0 stays.
void lanes_end(int lane);

#endif  // TVMFFI_FUZZ_LANES_H_
