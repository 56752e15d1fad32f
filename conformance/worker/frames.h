// SPDX-License-Identifier: Apache-2.0
// The calls that led here, as addresses.
#ifndef TVMFFI_CONFORMANCE_WORKER_FRAMES_H_
#define TVMFFI_CONFORMANCE_WORKER_FRAMES_H_

// Has the unwinder loaded now, so that frames_walk can be called in a signal handler.
void frames_prepare(void);

// Writes at most `size` addresses, the innermost first, which are this program's own, and returns
// how many there are: 0 where there is no unwinder.
int frames_walk(void **frames, int size);

#endif  // TVMFFI_CONFORMANCE_WORKER_FRAMES_H_
