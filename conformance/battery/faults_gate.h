// SPDX-License-Identifier: Apache-2.0
// Between what cases ask for (faults.h) and the stand-ins for malloc and its kin
// (faults_malloc.c).
#ifndef TVMFFI_CONFORMANCE_BATTERY_FAULTS_GATE_H_
#define TVMFFI_CONFORMANCE_BATTERY_FAULTS_GATE_H_

#include <stdbool.h>
#include <stddef.h>

// What a request looks at first. In the program itself, thread-local variables cost no call and no
// memory.
typedef struct FaultsGate {
  bool watched;
  unsigned known;  // blocks that are waited for
} FaultsGate;

extern _Thread_local FaultsGate faults_gate;

// Why nobody stands in for malloc; NULL once somebody does. Written before the first case runs.
extern const char *faults_obstacle;

// Tells how many bytes of the heap are in use, where the C library does not; NULL as long as nobody
// counts them. Written then, too.
extern size_t (*faults_heap)(void);

// Counts a request of a watched thread, and says whether it is to fail.
bool faults_refuses(void);
// Remembers a block that a watched thread was given; returns its address. NULL is none.
void *faults_took(void *address, size_t size);
// Forgets a block with room for `size` bytes, if it is one of those. Need not be called of a
// thread that is not watched while `known` is 0.
void faults_gave_back(const void *address, size_t size);

#endif  // TVMFFI_CONFORMANCE_BATTERY_FAULTS_GATE_H_
