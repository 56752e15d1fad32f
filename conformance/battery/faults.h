// SPDX-License-Identifier: Apache-2.0
// Out of memory, on demand. The worker interposes the allocator, `operator new` included, and can
// refuse the n-th request of the library. It does so for one thread, between faults_watch and
// faults_unwatch; at all other times every request goes to the C library.
//
// A case watches exactly one call of the library:
//
//   faults_watch(2, FAULTS_ONCE);
//   int status = iut->StringFromByteArray(&input, &out);
//   FaultsSeen seen = faults_unwatch();
//
// Blocks that were allocated meanwhile are tracked until they are freed, watched or not.
#ifndef TVMFFI_CONFORMANCE_BATTERY_FAULTS_H_
#define TVMFFI_CONFORMANCE_BATTERY_FAULTS_H_

#include <stddef.h>

typedef enum FaultsExtent { FAULTS_ONCE, FAULTS_FROM_THEN_ON } FaultsExtent;

typedef struct FaultsSeen {
  unsigned requests;  // that were made, the refused ones included
  unsigned refused;
  size_t largest;  // bytes of the largest of the others, whether they were granted or not
  size_t most;     // bytes that were held together, of what was taken meanwhile: at least so many
} FaultsSeen;

// Blocks that were allocated while this thread was watched, and not yet freed.
typedef struct FaultsHeld {
  unsigned blocks;
  size_t bytes;
  unsigned unwatched;  // blocks among them whose release is not tracked
} FaultsHeld;

// Why requests cannot be intercepted in this process, as the end of a sentence; NULL if they can.
const char *faults_unavailable(void);

// From here on the requests of this thread are counted, from 1, and number `refused` fails, or it
// and all that follow; 0 refuses none. At most one at a time in a thread.
void faults_watch(unsigned refused, FaultsExtent extent);

// Where to store the greater of `largest` and `most` of this thread as soon as it grows, for
// readers after the process has ended; NULL: nowhere. Set to 0 by faults_watch.
void faults_note_in(_Atomic(size_t) *bytes);

// Every request is granted again. Returns what happened since faults_watch.
FaultsSeen faults_unwatch(void);

// What this thread has allocated under watch and not freed. Blocks beyond a few hundred are
// counted, but their release is not tracked.
FaultsHeld faults_held(void);

// Stops tracking what is held now.
void faults_forget(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_FAULTS_H_
