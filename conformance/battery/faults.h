// SPDX-License-Identifier: Apache-2.0
// Want of memory, on demand. The worker stands in for `malloc` and its kin, so it sees what a
// library asks for, `operator new` included, and can refuse the n-th request. It does so for one
// thread, between faults_watch and faults_unwatch; at all other times every request goes straight
// to the C library.
//
// A case watches exactly one call of the library:
//
//   faults_watch(2, FAULTS_ONCE);
//   int status = iut->StringFromByteArray(&input, &out);
//   FaultsSeen seen = faults_unwatch();
//
// The blocks that were taken meanwhile are remembered until they are given back, watched or not.
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

// Blocks that were taken while this thread was watched, and are held still.
typedef struct FaultsHeld {
  unsigned blocks;
  size_t bytes;
  unsigned unwatched;  // blocks among them that are not missed when they are given back
} FaultsHeld;

// Why requests can't be seen in this process, in words that end a sentence; NULL if they can.
const char *faults_unavailable(void);

// From here on the requests of this thread are counted, from 1, and number `refused` fails, or it
// and all that follow; 0 refuses none. At most one at a time in a thread.
void faults_watch(unsigned refused, FaultsExtent extent);

// Where the greater of `largest` and `most` of this thread is noted as soon as it grows, for
// whoever outlives the process; NULL: nowhere. Set to 0 by faults_watch.
void faults_note_in(_Atomic(size_t) *bytes);

// Every request is granted again. What was seen since faults_watch.
FaultsSeen faults_unwatch(void);

// What this thread has taken under watch and nobody has given back. Blocks beyond a few hundred
// are counted, but not missed again when they are given back.
FaultsHeld faults_held(void);

// What is held now is nobody's concern any more.
void faults_forget(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_FAULTS_H_
