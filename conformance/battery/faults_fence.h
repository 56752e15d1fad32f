// SPDX-License-Identifier: Apache-2.0
// A heap of which each block ends at an unmapped page, but for what alignment to 16 bytes leaves: a
// library that reads or writes far enough behind a block of its own, or one that it has given back,
// is caught. For a copy of the process that makes one call, and ends: the heap has room for some
// thousand blocks, and what finds none is had from the C library.
#ifndef TVMFFI_CONFORMANCE_BATTERY_FAULTS_FENCE_H_
#define TVMFFI_CONFORMANCE_BATTERY_FAULTS_FENCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "battery/faults_gate.h"

// From here on blocks are of this heap, full of the byte `fill`. False where requests cannot be
// intercepted in this process.
bool faults_fence(unsigned char fill);
// The same, but what is given back stays there, full of the byte and a NUL at its end: whoever uses
// it goes on, and can be seen to tell something else.
bool faults_fence_overwriting(unsigned char fill);
// New blocks are those of the C library again.
void faults_unfence(void);
// The same for a while, of what the suite does meanwhile: whether they were of this heap, for
// faults_fence_resume.
bool faults_fence_pause(void);
void faults_fence_resume(bool were);

// Whether an address is in this heap, in a block or next to one. Async-signal-safe.
bool faults_fence_holds(const void *address);

// For the stand-ins for malloc and its kin. A block, or NULL if there is no room; the size of one;
// its end.
extern bool faults_fenced;
void *faults_fence_take(size_t size, size_t alignment);
size_t faults_fence_size(const void *block);
void faults_fence_drop(void *block);

#endif  // TVMFFI_CONFORMANCE_BATTERY_FAULTS_FENCE_H_
