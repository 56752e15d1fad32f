// SPDX-License-Identifier: Apache-2.0
#include "battery/faults.h"

#include <stdatomic.h>

#include "battery/faults_gate.h"

enum { BLOCKS_MAX = 512 };

typedef struct Block {
  void *address;
  size_t size;
} Block;

_Thread_local FaultsGate faults_gate;
const char *faults_obstacle = "this build does not interpose the allocator";
size_t (*faults_heap)(void);

static _Thread_local struct {
  unsigned refused;  // the number of the request
  FaultsExtent extent;
  FaultsSeen seen;
  Block blocks[BLOCKS_MAX];  // as many as the gate knows
  FaultsHeld others;         // found no place there
  size_t taken;              // since it is watched, less what was given back
  _Atomic(size_t) *note;     // of what the process has taken, or NULL
} watch;

// --- For the stand-ins ---------------------------------------------------------------------------

bool faults_refuses(void)
{
  unsigned number = ++watch.seen.requests;
  bool refused = watch.refused != 0 &&
                 (watch.extent == FAULTS_ONCE ? number == watch.refused : number >= watch.refused);
  watch.seen.refused += refused;
  return refused;
}

static void note_greatest(void)
{
  size_t largest = watch.seen.largest, most = watch.seen.most;
  atomic_store_explicit(watch.note, largest > most ? largest : most, memory_order_relaxed);
}

static void take_off(size_t size)
{
  watch.taken = size < watch.taken ? watch.taken - size : 0;
}

void *faults_took(void *address, size_t size)
{
  size_t greatest = watch.seen.largest > watch.seen.most ? watch.seen.largest : watch.seen.most;
  if (size > watch.seen.largest) watch.seen.largest = size;
  if (address) watch.taken += size;
  if (watch.taken > watch.seen.most) watch.seen.most = watch.taken;
  if (watch.note && (watch.seen.largest > greatest || watch.seen.most > greatest)) note_greatest();
  if (!address) return NULL;
  if (faults_gate.known < BLOCKS_MAX) {
    watch.blocks[faults_gate.known++] = (Block){address, size};
  } else {
    ++watch.others.blocks;
    watch.others.bytes += size;
  }
  return address;
}

// The newest ones are given back first, as a rule.
void faults_gave_back(const void *address, size_t size)
{
  for (unsigned i = faults_gate.known; i-- > 0;)
    if (watch.blocks[i].address == address) {
      take_off(watch.blocks[i].size);
      watch.blocks[i] = watch.blocks[--faults_gate.known];
      return;
    }
  // It may be one of those that found no place.
  if (watch.others.blocks) take_off(size);
}

// --- For cases -----------------------------------------------------------------------------------

const char *faults_unavailable(void)
{
  return faults_obstacle;
}

void faults_watch(unsigned refused, FaultsExtent extent)
{
  watch.refused = refused;
  watch.extent = extent;
  watch.seen = (FaultsSeen){0};
  watch.taken = 0;
  if (watch.note) note_greatest();
  faults_gate.watched = true;
}

void faults_note_in(_Atomic(size_t) *bytes)
{
  watch.note = bytes;
}

FaultsSeen faults_unwatch(void)
{
  faults_gate.watched = false;
  return watch.seen;
}

FaultsHeld faults_held(void)
{
  FaultsHeld held = watch.others;
  held.unwatched = held.blocks;
  for (unsigned i = 0; i < faults_gate.known; ++i) held.bytes += watch.blocks[i].size;
  held.blocks += faults_gate.known;
  return held;
}

void faults_forget(void)
{
  faults_gate.known = 0;
  watch.others = (FaultsHeld){0, 0, 0};
}
