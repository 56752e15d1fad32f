// SPDX-License-Identifier: Apache-2.0
// What the main process and the workers of a campaign share: one memory file, an arena a slot. All
// that a slot has learnt is in it, so that nothing is lost when its process goes down.
//
// The main process reads it while the library may scribble over it: numbers are bounded before they
// are used, and what it says is believed only once it came again in a process that
// ran nothing else.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_ARENA_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_ARENA_H_

#include <stdatomic.h>

#include "fuzz/fuzz.h"

enum {
  FUZZ_CORPUS_MAX = 1024,        // inputs that are kept
  FUZZ_CORPUS_BYTES = 4096,      // of each at most
  FUZZ_BEHAVIOURS_MAX = 8192,    // that are told apart; a power of two
  FUZZ_FOUND_MAX = 64,           // findings that wait for the main process
  FUZZ_EDGES_MAX = 65536,        // places in the library's code, where it was built to tell them
  FUZZ_FRONTIER_MAX = 16,        // inputs that are known as those that reached such a place first
  FUZZ_HISTORY_BYTES = 2 << 20,  // of the inputs that a process ran, with their sizes
};

typedef enum FuzzMode {
  FUZZ_EXPLORE = 1,  // make inputs and run them, from `next` on
  FUZZ_ONE,          // run the input that is there, and nothing else
  FUZZ_RATE,         // run the sample again and again; one in 10,000 crashes
  FUZZ_REPLAY,       // run what stands in the history, and then the input that is there
} FuzzMode;

typedef struct FuzzCorpusEntry {
  uint64_t behaviour;
  uint32_t size;
  uint8_t bytes[FUZZ_CORPUS_BYTES];
} FuzzCorpusEntry;

typedef struct FuzzFound {
  uint32_t class, aspect, phase, size;
  char text[FUZZ_TEXT_MAX];
  uint8_t bytes[FUZZ_INPUT_MAX];
} FuzzFound;

// What a process has run, the latest last: records of a number of 32 bits and as many bytes as it
// says, in a ring. The oldest make room for others.
typedef struct FuzzHistory {
  uint64_t start, end;  // as if the ring were endless
  uint8_t bytes[FUZZ_HISTORY_BYTES];
} FuzzHistory;

// In the number of a record: the input showed something new, and was run again and settled.
#define FUZZ_HISTORY_SETTLED (UINT32_C(1) << 31)

// Adds an input. Returns where its number stands, for fuzz_history_mark.
uint64_t fuzz_history_add(FuzzHistory *history, const void *bytes, uint32_t size);
// Says of a record that its input was settled.
void fuzz_history_mark(FuzzHistory *history, uint64_t record);
// Copies all records but the last one, one behind the other, into `out`, which has room for
// FUZZ_HISTORY_BYTES. Returns how many bytes they have. Records that make no sense are left out,
// with all that follow.
size_t fuzz_history_before_last(const FuzzHistory *history, uint8_t *out);
// Puts records, one behind the other, in the place of what is there.
void fuzz_history_set(FuzzHistory *history, const uint8_t *records, size_t size);

typedef struct FuzzArena {
  uint64_t magic;
  // What is to be done. Written by the main process.
  uint32_t mode;     // FuzzMode
  uint32_t surface;  // index into fuzz_surfaces
  uint64_t seed, slot, slots, last;
  _Atomic uint32_t stop;
  // Where it is.
  _Atomic uint64_t next;  // the execution that is being made, or comes next
  _Atomic uint64_t executed, passed_over;
  _Atomic uint64_t started;  // runs of an input, those that are repeated included
  _Atomic uint32_t phase;    // 0: not in the library; else one more than the surface's phase
  _Atomic uint32_t again;    // the input at hand was refused as it must be, and is run once more
  _Atomic uint64_t fence;    // the address where the input at hand ends; 0: it has none
  _Atomic uint32_t corpus_count, edge_count, found_count;
  _Atomic size_t memory;  // the most that was asked for or held for the input at hand
  uint32_t aspect, size;  // of the input at hand
  uint8_t bytes[FUZZ_INPUT_MAX];
  FuzzRun run;                // what FUZZ_ONE and FUZZ_REPLAY saw
  _Atomic uint32_t replayed;  // all of the history was run: what is at hand is the input itself
  char why[256];              // the surface can't be run on this library
  // What was learnt.
  uint32_t tired[FUZZ_ASPECTS_MAX];  // how many processes inputs of an aspect have cost
  _Atomic uint32_t told[FUZZ_CLASSES][FUZZ_ASPECTS_MAX];
  // How many inputs of an aspect were refused in part; and, since the first of these, at once.
  _Atomic uint32_t in_part[FUZZ_ASPECTS_MAX], at_once[FUZZ_ASPECTS_MAX];
  bool any_in_part;
  uint64_t behaviours[FUZZ_BEHAVIOURS_MAX];
  uint8_t edges[FUZZ_EDGES_MAX];
  uint32_t frontier_count, frontier[FUZZ_FRONTIER_MAX];  // a ring of indices into the corpus
  FuzzCorpusEntry corpus[FUZZ_CORPUS_MAX];
  FuzzFound found[FUZZ_FOUND_MAX];
  FuzzHistory history;
} FuzzArena;

// `slots` fresh arenas in one file, and its descriptor (own), which stays out of the way of those
// that workers are started with. NULL if there is no memory to be had.
FuzzArena *fuzz_arenas_create(unsigned slots, int *fd);
void fuzz_arenas_free(FuzzArena *arenas, unsigned slots, int fd);

// Arena `slot` of those that fuzz_arenas_create gave.
FuzzArena *fuzz_arena_at(FuzzArena *arenas, unsigned slot);

// False if somebody wrote over all of it.
bool fuzz_arena_is_whole(const FuzzArena *arena);

// Arena `slot` of the file `fd`, in a worker; NULL if there is no such arena.
FuzzArena *fuzz_arena_attach(int fd, unsigned slot);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_ARENA_H_
